@echo off
rem Called by run.cmd and test.cmd: makes .venv ready for the goal in %1 (run or test), unless that was done with this pyproject.toml.
setlocal EnableExtensions DisableDelayedExpansion
set "venv=%~dp0.venv"
if exist "%venv%\Scripts\python.exe" fc /b "%~dp0pyproject.toml" "%venv%\.ready-for-%~1" >nul 2>nul && exit /b 0
rem `call`, here and below, because the program may be a batch file itself; without it, control would not come back.
set "is_new_enough=import sys, venv; sys.exit(sys.version_info < (3, 11))"
for %%P in (python "py -3" python3) do (
    call %%~P -c "%is_new_enough%" >nul 2>nul && set "found=%%~P" && goto :install
)
where /q uv && goto :install_with_uv
>&2 echo gemhunter needs Python 3.11 or newer; neither "python" nor "py -3" starts one
exit /b 2

:install
call %found% "%~dp0install.py" %1
exit /b %errorlevel%

:install_with_uv
call uv run --quiet --no-project --python ">=3.11" "%~dp0install.py" %1
exit /b %errorlevel%
