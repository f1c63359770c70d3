# make demo: an answer over the bundled graph with the embedded model. make test: the checks and the tests.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-all lint clean

# Questions and claims over the bundled films; tests/test_demo.py holds the answers.
ASK := "Which films did Jane Campion direct?" \
	"Who composed the music of the films directed by Sergio Leone?" \
	"Who wrote the book that Blade Runner is based on?"
VERIFY := "The music of Amélie was composed by Michel Legrand." \
	"Ridley Scott directed a film that stars Russell Crowe."

demo: .venv/.local
	@for question in $(ASK); do echo "$$ triplewise ask \"$$question\""; $(BIN)/triplewise ask "$$question" || exit; echo; done
	@for claim in $(VERIFY); do echo "$$ triplewise verify \"$$claim\""; $(BIN)/triplewise verify "$$claim" || exit; echo; done

test: lint
	$(BIN)/python -m pytest -q -p no:cacheprovider

test-all: lint
	$(BIN)/python -m pytest -q -p no:cacheprovider -m ""

lint: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --upgrade pip

# llama.cpp is compiled from source; all cores make it one and a half minutes instead of five.
.venv/.local: .venv/bin/python pyproject.toml constraints.txt
	CMAKE_BUILD_PARALLEL_LEVEL=$$(nproc) $(BIN)/python -m pip install -q -c constraints.txt -e ".[local]"
	touch $@

.venv/.dev: .venv/.local pyproject.toml constraints.txt
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[all]" --group dev
	touch $@

clean:
	rm -rf .venv build dist *.egg-info
