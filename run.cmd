@echo off
rem Runs gemhunter in this clone's own environment, and makes that environment on first use.
setlocal EnableExtensions DisableDelayedExpansion
set "GEMHUNTER_COMMAND=%~0"
set "GEMHUNTER_INSTALLER=%~dp0install.py"
call "%~dp0environment.cmd" run
if %errorlevel% neq 0 exit /b %errorlevel%
"%~dp0.venv\Scripts\gemhunter.exe" %*
exit /b %errorlevel%
