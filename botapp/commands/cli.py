"""The `botapp` command: puts its subcommands together, and says what went wrong.

Nothing a person does here ends in a traceback: what went wrong is said in a line with its remedy, and the
log file has the rest. Everything heavy is imported where it is used, so that `--help` is quick.
"""

import logging
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from botapp.commands import arena
from botapp.commands.bench import application as benches
from botapp.commands.compiling import compile_search
from botapp.commands.computer import caches, doctor, migrate
from botapp.commands.knowledge import app as knowledge_app
from botapp.commands.look import advise, look
from botapp.commands.replay import replay
from botapp.commands.run import open_app, run
from botapp.host.display_libraries import package_of
from botapp.host.logs import is_kept, log_file, set_up
from botapp.host.message import is_full, is_message, one_line
from botapp.host.translation import Translator, resolve
from botapp.host.versions import versions
from hrm.interpreter import this_python

_log = logging.getLogger(__name__)

app = typer.Typer(
    help="Live advice for DOFUS fights: reads the screen, thinks, shows what it would do.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _command in (run, look, advise, replay, caches, doctor, migrate):
    app.command()(_command)
app.command("compile")(compile_search)
app.add_typer(arena.app, name="arena")
app.add_typer(benches(), name="bench")
app.add_typer(knowledge_app, name="knowledge")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    if version:
        print(f"botapp {versions()['botapp']}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise typer.Exit(open_app(None, None))


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code. Never raises."""
    problem = set_up()
    given = sys.argv if arguments is None else arguments
    if problem and "--link" not in given:  # what starts the arena has said it already
        print(f"botapp: no log is kept, {log_file()} cannot be written ({problem}).", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a Windows pipe knows no arrows, a file name may be no text
    try:
        app(arguments, prog_name="botapp")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except Exception as error:
        _log.exception("botapp %s", " ".join(sys.argv[1:] if arguments is None else arguments))
        print(f"botapp: {error_words(error)}", file=sys.stderr)
    return 1


def _installs_again() -> str:
    """Returns the line that installs botapp once more: PyPI's package of that name is another program."""
    folder = Path(__file__).parents[2]
    if not (folder / "pyproject.toml").is_file():
        return "pipx reinstall botapp"
    return f'{this_python()} -m pip install -c "{folder / "constraints.txt"}" -e "{folder}"'


def _translated(error: Exception) -> str:
    """Returns an error's message in the app's language; a plain text as it is."""
    problem = error.args[0] if error.args else ""
    if not is_message(problem):
        return str(error)
    from botapp.host.settings_file import load  # noqa: PLC0415

    return Translator(resolve(load().settings.ui.language))(problem)


def error_words(error: Exception) -> str:
    """Puts an error in words: those made for a person as they are, the others with where the details are."""
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name} is missing. Install botapp again: {_installs_again()}"
    if isinstance(error, ImportError) and ".so" in str(error):
        package = package_of(str(error))
        remedy = f"`sudo apt-get install {package}`" if package else "your system's package that has it"
        return f"a system library is missing ({error}). Install it: {remedy}."
    if is_full(error):
        named = getattr(error, "filename", None)
        return f"{named or 'nothing can be written'}: the disk is full. Make room on it and try again."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    modules = ("botapp.", "vision.", "hrm.")
    if isinstance(error, ValueError) or type(error).__module__.startswith(modules):
        return _translated(error)
    details = f"The details are in {log_file()}." if is_kept() else "No log is kept that has the details."
    return f"something went wrong ({type(error).__name__}: {one_line(error)}). {details}"
