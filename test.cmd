@echo off
rem Runs every check of the project, installing what they need first. Arguments go to pytest: test -k parse
rem With --plain as the first argument, the tests run on uncompiled kernels: test --plain -k parse
setlocal EnableExtensions DisableDelayedExpansion
rem No quotes around the next two values: the arguments bring their own.
set arguments=%*
if not "%~1"=="--plain" goto :prepare
set "GEMHUNTER_COMPILE=never"
set arguments=%arguments:*--plain=%

:prepare
call "%~dp0environment.cmd" test
if %errorlevel% neq 0 exit /b %errorlevel%
for %%P in (minisat cadical picosat) do where /q %%P || >&2 echo not installed: %%P; its tests will be skipped
where /q chromium || where /q google-chrome || where /q chrome || >&2 echo not installed: chrome; the tests of the page in a browser will be skipped
set "PATH=%~dp0.venv\Scripts;%PATH%"
pushd "%~dp0"
call :checks
set "status=%errorlevel%"
popd
exit /b %status%

:checks
echo.
echo == ruff
ruff.exe check . || exit /b 1
ruff.exe format --check . || exit /b 1
echo.
echo == mypy
mypy.exe || exit /b 1
echo.
echo == import-linter
lint-imports.exe || exit /b 1
if defined arguments goto :tests
rem All tests together need every kernel; workers would compile many of them several times.
echo.
echo == warmup
gemhunter.exe warmup --quiet >nul || exit /b 1

:tests
echo.
echo == pytest
pytest.exe -n %NUMBER_OF_PROCESSORS% --dist worksteal %arguments%
exit /b %errorlevel%
