# SPDX-License-Identifier: AGPL-3.0-or-later
# NOT RUN. Freezes the program on Windows; the result is dist\carrel, to be zipped.
#   powershell packaging\windows\build.ps1      from the root of the project, with uv on the path
$ErrorActionPreference = "Stop"
uv sync --frozen --no-default-groups --extra desktop --extra copies --extra signatures --group packages --group docs
uv run --no-sync sphinx-build -q -b html docs resources\carrel_resources\manual
$env:PYTHONHASHSEED = "1"
uv run --no-sync pyinstaller --noconfirm --distpath dist --workpath build\pyinstaller packaging\bundle\carrel.spec
& dist\carrel\carrel.exe --version
Compress-Archive -Path dist\carrel -DestinationPath dist\carrel-windows.zip -Force
