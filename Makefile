# SPDX-License-Identifier: AGPL-3.0-or-later
# Everything one does with this project. Each target sets up what it needs, once.

# uv brings its own list of authorities; an institution's own one stands in the system's.
CERTIFICATES = $(if $(wildcard /etc/ssl/certs/ca-certificates.crt),UV_SYSTEM_CERTS=1)
UV = env -u VIRTUAL_ENV UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON_DOWNLOADS=never $(CERTIFICATES) build/uv/bin/uv
SYNC = $(UV) sync --quiet --frozen --extra desktop --python build/uv/bin/python
BIN = .venv/bin
# Compiled beforehand, the program starts in half the time where nothing may be written later.
COMPILE = $(BIN)/python -m compileall -q core desktop resources
SOURCES = core desktop resources tests packaging
ARCHIVE = demo-archive
MANUAL = resources/carrel_resources/manual
FONTS = /usr/share/fonts
# A worker that dies fails the run by name: another one in its place may wait for ever for its share.
# A run takes minutes; one that has not ended in 40 never will. Within Qt no signal ends a test.
PYTEST = timeout --kill-after=30 40m $(BIN)/pytest --dist worksteal --max-worker-restart=0
# One more worker than there are processors: many of the core's tests wait for programs and servers.
WORKERS = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test check bench acceptance docs packages wheel deb bundle packages-test reproducible pictures messages format lock clean uv qt redis postgres sshd kafka fonts

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.for-use qt ## Archive the sample datasets into ./demo-archive and look at them
	@mkdir -p build
	@[ -e $(MANUAL)/index.html ] || $(MAKE) -s docs >build/manual.log 2>&1 & # while the demo runs
	$(BIN)/carrel demo --archive $(ARCHIVE)
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		$(BIN)/carrel desktop --archive $(ARCHIVE); \
	else \
		echo "There is no display here. Where there is one, open the window with:"; \
		echo "  $(BIN)/carrel desktop --archive $(ARCHIVE)"; \
	fi

test: check ## The same as check, for continuous integration

# pytest comes last: the end of the output is its summary.
check: export QT_QPA_PLATFORM = offscreen
# Where Python may write nothing down, every worker rewrites the assertions of all tests anew, and
# every program that a test starts compiles whatever changed since the last sync.
check: export PYTHONDONTWRITEBYTECODE =
check: .venv/.for-work qt redis postgres sshd kafka fonts ## Check format, lint, types, imports and dependencies, then run every test
	@$(COMPILE)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/mypy tests
	$(BIN)/lint-imports
	$(BIN)/deptry core desktop resources
	$(BIN)/deptry --exclude '^build/' --non-dev-dependency-groups dev,peers,docs $(SOURCES) docs
	$(PYTEST) -n auto --timeout-method=thread tests/desktop
	$(PYTEST) -n $(WORKERS) tests --ignore=tests/desktop

# QUICK=1 tries whether each benchmark works, with what is installed, in a minute or two.
bench: .venv/.for-work qt postgres sshd ## Put Carrel beside other people's programs: docs/performance.md
	@missing=; for program in nginx wget curl; do \
		PATH="$$PATH:/usr/sbin:/sbin" command -v $$program >/dev/null || missing=yes; \
	done; \
	[ -z "$$missing" ] || [ -n "$(QUICK)" ] || sh packaging/apt-install "The benchmark" nginx-light wget curl || true
	$(BIN)/python tests/benchmarks/all.py $(if $(QUICK),--quick)

acceptance: .venv/.for-work postgres kafka ## Let everything go wrong in a fleet of workers for some minutes
	$(BIN)/python tests/acceptance/fleet.py --seed 1 --broker real
	$(BIN)/python tests/acceptance/fleet.py --seed 2 --broker mock

docs: .venv/.for-use ## Build the manual that Help opens, and the man pages, without a network
	$(SYNC) --group docs --inexact
	$(BIN)/sphinx-build -q -W --keep-going -d build/docs/doctrees -b html docs $(MANUAL)
	$(BIN)/sphinx-build -q -W --keep-going -d build/docs/doctrees-man -b man docs build/docs/man
	@echo "The manual is $(MANUAL)/index.html, which the window opens, the man page build/docs/man/carrel.1."

packages: deb bundle ## Build wheel, Debian package and frozen bundle into dist/, with what is inside

wheel: docs build/packages/tools/.made ## Build wheel and source distribution
	@rm -rf dist/carrel-*.whl dist/carrel-*.tar.gz
	sh packaging/wheel/build dist

deb: build/packages/inventory/.made ## Build the Debian package
	@rm -f dist/carrel_*.deb
	sh packaging/debian/build dist dist/carrel-*.whl

bundle: build/packages/inventory/.made ## Freeze the program with its Python, for Linux systems without one
	@rm -f dist/carrel-*-linux-*.tar.xz
	sh packaging/bundle/build dist

packages-test: ## Install, use, upgrade and remove each package in a bare Debian 12 and 13, as root
	sh packaging/roots/try-all

reproducible: ## Build wheel, Debian package and bundle twice, each from a clone, and compare the bytes
	sh packaging/reproducible

pictures: .venv/.for-work qt fonts ## Draw the pictures of the window that the README shows
	QT_QPA_PLATFORM=offscreen $(BIN)/python docs/pictures.py

messages: .venv/.for-work ## Collect every text for translators, and update the catalogues
	$(BIN)/python packaging/messages.py build/messages/carrel.pot

format: .venv/.for-work ## Format the code and repair what can be repaired by itself
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

lock: uv ## Choose the newest versions of all dependencies anew
	$(UV) lock --upgrade --python build/uv/bin/python

clean: ## Remove everything that was made here, except archives
	rm -rf .venv build dist $(MANUAL)
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

uv:
	@sh packaging/python-tools

qt:
	@[ -z "$$DISPLAY$$WAYLAND_DISPLAY" ] || display=--display; sh packaging/system-libraries $$display

# Some tests ask a real one; without it they are skipped, and say so.
redis:
	@command -v redis-server >/dev/null || sh packaging/apt-install "Testing" redis-server || true

# Results of a fleet go into one; without it their tests are skipped, and say so.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
		sh packaging/apt-install "Testing" postgresql || true

# Second copies by SFTP are made on one; without it their tests are skipped, and say so.
sshd:
	@PATH="$$PATH:/usr/sbin:/sbin" command -v sshd >/dev/null || \
		sh packaging/apt-install "Testing" openssh-server openssh-client || true

# Workers are tested on one as well as on librdkafka's own stand-in; without it on that alone.
kafka:
	@sh packaging/kafka/get || true

# The window is measured by these; where they are missing, by the system's own font.
fonts:
	@[ -e $(FONTS)/truetype/dejavu/DejaVuSans.ttf ] && [ -e $(FONTS)/truetype/noto/NotoSans-Regular.ttf ] \
		&& [ -e $(FONTS)/opentype/noto/NotoSansCJK-Regular.ttc ] || \
		sh packaging/apt-install "Testing" fonts-dejavu-core fonts-noto-core fonts-noto-cjk || true

build/packages/tools/.made: uv.lock packaging/tools | uv
	sh packaging/tools
	@touch $@

build/packages/inventory/.made: wheel
	sh packaging/environment dist/carrel-*.whl
	sh packaging/inventory/build build/packages/inventory
	@cp build/packages/inventory/carrel.cdx.json dist/
	@touch $@

# What running Carrel takes; whatever else is there stays.
.venv/.for-use: pyproject.toml uv.lock | uv
	$(SYNC) --no-default-groups --inexact --compile-bytecode
	@$(COMPILE)
	@touch $@

# What working on Carrel takes: exactly what the lock file says.
.venv/.for-work: pyproject.toml uv.lock | uv
	$(SYNC) --extra copies --extra fleet --extra signatures --compile-bytecode
	@$(COMPILE)
	@touch .venv/.for-use $@
