# `make run` shows the whole product, `make check` is for every edit, `make test` checks all of it.
# Each sets up what it needs on a fresh machine.
PYTHON ?= python3
PIP_ARGS ?=
# Which build of torch: cpu, cuda or rocm. Empty: the one that is there, at first the one for the card at hand.
TORCH ?=
CHIP ?=
BIN := .venv/bin

# Without a display the demo brings its own, runs a minute and leaves what it saw in out/.
ifeq ($(strip $(DISPLAY)$(WAYLAND_DISPLAY)),)
RUN_ARGS ?= --seconds 60 --report out/report.json --force --screenshots out
endif

# What is marked `inner` runs interpreted. Coverage does not see compiled code: for it the fast tests beside it do too.
INTERPRETED := inner and not long
INTERPRETED_IN := tests/arena/test_whole_fights.py tests/search/core/test_evaluation.py $(addprefix tests/fight/,core test_fight_buffs.py \
    test_fight_casting.py test_fight_damage.py test_fight_marks.py test_fight_paths.py test_fight_push.py \
    test_fight_sight.py test_fight_summons.py test_fight_wild.py) \
    --ignore tests/fight/core/test_properties.py

.PHONY: torch run check test long interpreted static coverage lint types imports architecture translations system screenshots package clean

run: system .venv/.installed
	-@$(BIN)/python -m botapp compile
	$(BIN)/python -m botapp run --demo $(RUN_ARGS)

# Else, where the environment says to keep no compiled Python, each process compiles all sources anew.
check test: export PYTHONDONTWRITEBYTECODE :=

check: system .venv/.tested
	@$(MAKE) --no-print-directory -j 2 -O prepared static
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not long and not inner"

# A window or a process may answer too late beside other tests: those listed in tests/repeated.txt may fail there, three at
# most, and have to pass alone. What earlier runs failed does not count.
test: TESTED = -m "not long and not inner"
test: system .venv/.tested
	@$(MAKE) --no-print-directory -j 2 -O prepared interpreted static
	@rm -f .pytest_cache/v/cache/lastfailed
	$(BIN)/python -m pytest -n 2 --dist worksteal $(COVERED) $(TESTED) \
	    || { [ $$? = 1 ] && $(BIN)/python .ci/alone $(COVERED); }

# What takes seconds and minutes, on demand and before a release: half an hour.
long: export PYTHONDONTWRITEBYTECODE :=
long: system .venv/.tested prepared
	$(BIN)/python -m pytest -n 2 --dist worksteal --timeout 3600 -m "long and not inner"

# Beside the compiling, which takes one core for a minute, and beside the static checks.
interpreted: .venv/.tested
	BOTAPP_INTERPRETED=1 $(BIN)/python -m pytest -q $(COVERED) -m "$(INTERPRETED)" $(INTERPRETED_IN)

static: lint types imports

# The same tests, and how much of the code they run.
coverage:
	rm -f .coverage .coverage.*
	$(MAKE) test TESTED='-m "not inner"' COVERED="--cov --cov-append --cov-report=" INTERPRETED="(inner or not slow) and not long"
	$(BIN)/coverage report --fail-under=90

# What is compiled for this computer once, so that no process of the tests has to: takes a minute.
prepared: .venv/.tested
	@$(BIN)/python -m botapp compile

lint: .venv/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/vulture

types: .venv/.tested
	$(BIN)/mypy

imports: .venv/.tested
	$(BIN)/lint-imports

# The packages and their imports, drawn for docs/architecture.md.
architecture: .venv/.tested
	$(BIN)/python -m botapp.bench.architecture docs/architecture.svg

system:
	@.ci/system

.venv/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))" || { \
	    echo "Python 3.11 to 3.14 is needed: make run PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv || { \
	    echo "Could not make .venv. On Debian and Ubuntu: sudo apt-get install python3-venv" >&2; rm -rf .venv; exit 1; }

torch: | .venv/bin/python
	@PIP_ARGS="$(PIP_ARGS)" CHIP="$(CHIP)" $(BIN)/python .ci/torch $(TORCH)

.venv/.installed: pyproject.toml constraints.txt | torch
	$(BIN)/python -m pip install -q --disable-pip-version-check $(PIP_ARGS) -c constraints.txt -e .
	@touch $@

.venv/.tested: pyproject.toml constraints.txt | torch
	$(BIN)/python -m pip install -q --disable-pip-version-check $(PIP_ARGS) -c constraints.txt -e ".[test,dev]"
	@touch .venv/.installed $@

.venv/.packaged: pyproject.toml constraints.txt | torch
	$(BIN)/python -m pip install -q --disable-pip-version-check $(PIP_ARGS) -c constraints.txt -e ".[package]"
	@touch .venv/.installed $@

# The program as a folder that needs no Python: dist/botapp, tried for 20 seconds before it is packed.
package: system .venv/.packaged
	$(BIN)/python -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build/bundle .ci/bundle/botapp.spec
	strip --strip-unneeded $(addprefix dist/botapp/_internal/,torch/lib/*.so llvmlite/binding/*.so libpython*)
	$(BIN)/python .ci/bundle/smoke.py dist/botapp
	tar -C dist -czf dist/botapp-linux.tar.gz botapp

# Collects the texts of the code for the translators and compiles what they wrote. A new language, such as German:
# `pybabel init -D botapp -d resources/translations -i resources/translations/botapp.pot -l de`, then this.
translations: .venv/.tested
	$(BIN)/pybabel -q extract -F pyproject.toml --omit-header --no-location --sort-by-file -w 110 \
	    -o resources/translations/botapp.pot botapp hrm vision
	$(BIN)/pybabel -q update --no-fuzzy-matching --ignore-pot-creation-date -w 110 \
	    -D botapp -d resources/translations -i resources/translations/botapp.pot
	$(BIN)/pybabel -q compile -D botapp -d resources/translations

# The README's picture, taken by the app of itself on a virtual display.
screenshots: system .venv/.installed
	-@$(BIN)/python -m botapp compile
	rm -rf out/en
	env -u DISPLAY -u WAYLAND_DISPLAY $(BIN)/python -m botapp run --demo --seconds 60 --seed 3 --language en --screenshots out/en
	$(BIN)/python -c "import cv2; \
	    cv2.imwrite('resources/images/demo.jpg', cv2.imread('out/en/screen-3.png'), [cv2.IMWRITE_JPEG_QUALITY, 55])"

clean:
	rm -rf .venv out build dist .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
