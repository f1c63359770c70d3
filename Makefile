# make demo: an answer over the bundled graph with the embedded model. make test: the checks and the tests.
PYTHON ?= python3
BIN := .venv/bin
# setuptools warns at each editable installation that folders of the package's name may hide it; errors still show.
# Python compiles a module when it is first imported: most of what the packages hold never is.
INSTALL := PYTHONWARNINGS="ignore:Editable installation" $(BIN)/python -m pip install -q --no-compile -c constraints.txt

.PHONY: demo test test-all lint clean

# Questions and claims over the bundled films; tests/test_demo.py holds the answers.
ASK := "Which films did Jane Campion direct?" \
	"Who composed the music of the films directed by Sergio Leone?" \
	"Who wrote the book that Blade Runner is based on?"
VERIFY := "The music of Amélie was composed by Michel Legrand." \
	"Ridley Scott directed a film that stars Russell Crowe."

# A graph that no model here was trained on, asked in a reader's words; the graph proposes what can be meant.
OWN := "The Little Badgers are in the middle of some book, who's it by?"

demo: .venv/.reranker
	@for question in $(ASK); do echo "$$ triplewise ask \"$$question\""; $(BIN)/triplewise ask "$$question" || exit; echo; done
	@for question in $(OWN); do echo "$$ triplewise ask \"$$question\" --kg corpus/library/graph.tsv"; \
		$(BIN)/triplewise ask "$$question" --kg corpus/library/graph.tsv || exit; echo; done
	@for claim in $(VERIFY); do echo "$$ triplewise verify \"$$claim\""; $(BIN)/triplewise verify "$$claim" || exit; echo; done

# A process per core; within each, one thread computes. Files go to them in the tests' own order (tests/conftest.py).
PYTEST := TRIPLEWISE_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -p no:cacheprovider -n logical \
	--dist loadfile --no-loadscope-reorder

test: lint
	$(PYTEST)

test-all: lint .venv/.reranker .venv/.langgraph
	PATH="$(CURDIR)/.venv/langgraph/bin:$$PATH" TRIPLEWISE_FUZZ=20 $(PYTEST) -m ""

lint: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --upgrade pip

# llama.cpp is compiled from source, on all cores, without the parts that its Python binding does not use.
.venv/.local: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing triplewise. Compiling llama.cpp takes most of the time: minutes on 2 cores, once per machine."
	CMAKE_BUILD_PARALLEL_LEVEL=$$(nproc) \
	CMAKE_ARGS="-DLLAVA_BUILD=OFF -DCMAKE_PROJECT_llama.cpp_INCLUDE=$(CURDIR)/build_llama.cmake $$CMAKE_ARGS" \
	$(INSTALL) -e ".[local]"
	touch $@

.venv/.dev: .venv/.local pyproject.toml constraints.txt
	$(INSTALL) -e ".[all]" --group dev
	touch $@

# The re-ranker's encoder: 404 MB that most tests do without.
.venv/.reranker: .venv/.local pyproject.toml constraints.txt
	$(INSTALL) -e ".[reranker]"
	touch $@

# The langgraph command in an environment of its own: its server pins protobuf and grpcio below what Chroma needs.
.venv/.langgraph: .venv/.dev
	$(PYTHON) -m venv .venv/langgraph
	.venv/langgraph/bin/python -m pip install -q --upgrade pip
	PYTHONWARNINGS="ignore:Editable installation" .venv/langgraph/bin/python -m pip install -q --no-compile \
		-e ".[chat]" --group langgraph
	touch $@

clean:
	rm -rf .venv build dist *.egg-info
