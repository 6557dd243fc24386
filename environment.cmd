@echo off
rem Called by run.cmd and test.cmd: one environment in .venv, made with uv if it is installed, otherwise with venv and pip.
rem   environment.cmd run     installs what the program needs
rem   environment.cmd test    installs what the checks need as well
rem Does nothing if that was done with this pyproject.toml: a copy of it is kept in .venv afterwards.
setlocal EnableExtensions DisableDelayedExpansion
for %%F in ("%~dp0.") do set "root=%%~fF"
set "venv=%root%\.venv"
set "python=%venv%\Scripts\python.exe"
set "stamp=%venv%\.ready-for-%~1"
set requirements=--editable "%root%[fast,plots,web]"
if "%~1"=="test" set requirements=--editable "%root%[dev]" --editable "%root%\examples\single-clue-engine" --editable "%root%\examples\random-walk-cnf-solver" --editable "%root%\examples\safest-cell-agent"

fc /b "%root%\pyproject.toml" "%stamp%" >nul 2>nul && exit /b 0
>&2 echo preparing "%venv%", once ...
where /q uv
if errorlevel 1 goto :with_pip

rem `call`, here and below, because the program may be a batch file itself; without it, control would not come back.
if exist "%python%" goto :install_with_uv
call uv venv --quiet --python ">=3.11" "%venv%"
if %errorlevel% neq 0 exit /b %errorlevel%

:install_with_uv
call uv pip install --quiet --python "%python%" %requirements%
if %errorlevel% equ 0 goto :ready
if not "%~1"=="run" exit /b 1
>&2 echo trying without Numba and Matplotlib: large boards will take longer, and nothing draws charts
call uv pip install --quiet --python "%python%" --editable "%root%"
if %errorlevel% neq 0 exit /b %errorlevel%
goto :ready

:with_pip
if exist "%venv%\Scripts\pip.exe" goto :install_with_pip
set "is_new_enough=import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"
set "found=python"
call %found% -c "%is_new_enough%" >nul 2>nul && goto :make
set "found=py -3"
call %found% -c "%is_new_enough%" >nul 2>nul && goto :make
>&2 echo gemhunter needs Python 3.11 or newer; neither "python" nor "py -3" starts one
exit /b 2

:make
call %found% -m venv "%venv%"
if %errorlevel% neq 0 exit /b %errorlevel%

:install_with_pip
rem Once is not quiet enough: pip would still print its warnings. Twice leaves the errors.
"%python%" -m pip install --quiet --quiet --disable-pip-version-check %requirements%
if %errorlevel% equ 0 goto :ready
if not "%~1"=="run" exit /b 1
>&2 echo trying without Numba and Matplotlib: large boards will take longer, and nothing draws charts
"%python%" -m pip install --quiet --quiet --disable-pip-version-check --editable "%root%"
if %errorlevel% neq 0 exit /b %errorlevel%

:ready
copy /b /y "%root%\pyproject.toml" "%stamp%" >nul
exit /b %errorlevel%
