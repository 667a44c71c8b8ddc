@echo off
rem The Makefile's commands for Windows, typed the same way in this folder (PowerShell: .\make run):
rem   make run       sets everything up, opens the practice arena and the app beside it
rem   make test      lint, types, imports and all tests but the longest
rem   make package   the program as a folder that needs no Python, and its installer where Inno Setup is there
rem   make run TORCH=rocm   the same with torch for the graphics card: rocm (AMD), cuda (NVIDIA) or cpu
rem RUN_ARGS and PIP_ARGS are those of the Makefile.
setlocal
cd /d "%~dp0"
set "PY=.venv\Scripts\python.exe"
set "INSTALL=%PY% -m pip install -q --disable-pip-version-check %PIP_ARGS% -c constraints.txt"
rem cmd takes the = of TORCH=rocm for a space
if /i "%~2"=="TORCH" set "TORCH=%~3"
if "%~1"=="run" goto run
if "%~1"=="test" goto test
if "%~1"=="package" goto package
echo Type: make run, make test or make package. 1>&2
exit /b 2

:run
call :venv || exit /b 1
%PY% .ci\torch %TORCH% || exit /b 1
%INSTALL% -e . || exit /b 1
%PY% -m botapp compile
%PY% -m botapp run --demo %RUN_ARGS%
exit /b

:test
call :venv || exit /b 1
%INSTALL% -e ".[test,dev]" || exit /b 1
%PY% -m ruff check . || exit /b 1
%PY% -m ruff format --check . || exit /b 1
%PY% -m vulture || exit /b 1
%PY% -m mypy || exit /b 1
.venv\Scripts\lint-imports.exe || exit /b 1
%PY% -m botapp compile
%PY% -m pytest -n 2 --dist worksteal -m "not long"
exit /b

:package
call :venv || exit /b 1
%INSTALL% -e ".[package]" || exit /b 1
%PY% -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build\bundle .ci\bundle\botapp.spec || exit /b 1
%PY% .ci\bundle\smoke.py dist\botapp || exit /b 1
set "ISCC=%ProgramFiles(x86)%\Inno Setup 6\ISCC.exe"
if not exist "%ISCC%" (
    echo dist\botapp is there; its installer needs Inno Setup 6, see docs\packages.md.
    exit /b 0
)
for /f "tokens=2" %%v in ('dist\botapp\botapp.exe --version') do set "VERSION=%%v"
"%ISCC%" /Qp "/DVersion=%VERSION%" .ci\bundle\botapp.iss
exit /b

:venv
if exist "%PY%" exit /b 0
py -3 -m venv .venv 2>nul && exit /b 0
python -m venv .venv && exit /b 0
echo Python 3.11 to 3.14 is needed; install it, then open a new terminal. 1>&2
exit /b 1
