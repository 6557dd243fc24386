@echo off
rem Runs the checks that every commit must pass, installing what they need first. Arguments go to pytest: test -k parse
rem   --full     also the long campaigns: fuzzing, other systems, the wheel, the page at all sizes, its scripts, long comparisons
rem   --plain    run the tests on uncompiled kernels
setlocal EnableExtensions DisableDelayedExpansion
rem With this set, each of the hundreds of programs that tests start would compile all modules that it imports.
set "PYTHONDONTWRITEBYTECODE="
rem No quotes around the values of `arguments`: the arguments bring their own.
set arguments=%*
set mark=-m "not full"

:options
if "%~1"=="--full" set mark=& set arguments=%arguments:*--full=%& shift /1 & goto :options
if "%~1"=="--plain" set "GEMHUNTER_COMPILE=never"& set arguments=%arguments:*--plain=%& shift /1 & goto :options

:prepare
call "%~dp0environment.cmd" test
if %errorlevel% neq 0 exit /b %errorlevel%
rem Tests start hundreds of processes; without bytecode each would compile again all that it imports.
set "PYTHONDONTWRITEBYTECODE="
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
echo.
where /q npm.cmd || echo == page scripts: skipped, as npm is not installed
where /q npm.cmd || goto :warmup
if defined mark goto :warmup
echo == page scripts
if not exist tests\page_scripts\node_modules call npm.cmd --prefix tests\page_scripts install --no-package-lock --loglevel error || exit /b 1
call npm.cmd --prefix tests\page_scripts test --silent || exit /b 1

:warmup
if defined arguments goto :tests
rem All tests together need every kernel; workers would compile many of them several times.
echo.
echo == warmup
gemhunter.exe warmup --quiet >nul || exit /b 1

:tests
echo.
echo == pytest
pytest.exe -n %NUMBER_OF_PROCESSORS% --dist worksteal %mark% %arguments%
exit /b %errorlevel%
