# SPDX-License-Identifier: GPL-2.0
# Thin: each target calls one script of tools/kernel.

KERNEL	?= 6.12
ARCH	?= x86_64
# make test of several kernels: those that are compiled only
COMPILE	?= 7.2
export KERNEL ARCH DEBUG SAN VARIANT UTRACE_CACHE V

K	:= tools/kernel

.PHONY: help guest run test storm ptrace-unharmed shell kernel compile lint \
	integrate patch bench deps clean-cache

help:
	@echo 'make run         boot a traced kernel and show what utrace prints of a workload'
	@echo 'make test        all tests: on this machine and in the guest'
	@echo 'make test KERNELS="6.1 6.12 current" ARCHS="x86_64 arm64"'
	@echo '                 all tests of every kernel on every architecture, one table'
	@echo '                 (EXCEPT="KERNEL:ARCH ..." leaves some out)'
	@echo 'make storm       engines come and go in a storm of 2,000 threads; MINUTES=5 SAN=kasan|kcsan'
	@echo 'make storm WHAT=user-events'
	@echo '                 64 threads register and write user events, fork and exec; likewise'
	@echo 'make ptrace-unharmed'
	@echo '                 the kernel tree'\''s own ptrace and signal tests beside engines'
	@echo 'make shell       a prompt in the guest (ctrl-d ends it)'
	@echo 'make kernel      build the kernel only'
	@echo 'make compile     without a kernel: the hooks, and what compiles because of them'
	@echo 'make bench       what tracing costs, in instructions; also with 10,000 threads;'
	@echo '                 user events beside uprobes, trace_marker and LTTng-UST'
	@echo 'make lint        checkpatch, sparse, W=1, shellcheck, python syntax'
	@echo 'make integrate TREE=/path/to/linux        put utrace into your own source tree'
	@echo 'make integrate TREE=/path/to/linux R=1    take it out again, byte for byte'
	@echo 'make patch       print it as an ordinary patch for KERNEL'
	@echo 'make clean-cache remove everything fetched or built'
	@echo
	@echo 'KERNEL=6.1|6.12|7.2|current  which of Debian'\''s linux-source ($(KERNEL))'
	@echo 'ARCH=x86_64|arm64            the guest'\''s architecture ($(ARCH))'
	@echo 'DEBUG=1                      with lockdep, KASAN and friends; SAN=kcsan: KCSAN instead'
	@echo 'TESTS="NAME ..."             make test: only these selftests'
	@echo 'UTRACE_CACHE=DIR             where all is kept (~/.cache/utrace)'
	@echo
	@echo 'The first time all that is missing is installed (as root), fetched and'
	@echo 'built: 10 to 15 minutes on two cores.  After that seconds.'

deps:
	@$(K)/deps

kernel: deps
	@$(K)/build

# before the kernel is built: can its guest be run?
guest:
	@$(K)/deps guest

run: guest
	@$(K)/build > /dev/null
	@$(K)/boot run

shell: guest
	@$(K)/build > /dev/null
	@$(K)/boot shell

ifeq ($(strip $(KERNELS) $(ARCHS)),)
test: guest
	@TESTS='$(TESTS)' $(K)/test
else
test:
	@KERNELS='$(KERNELS)' ARCHS='$(ARCHS)' COMPILE='$(COMPILE)' EXCEPT='$(EXCEPT)' TESTS='$(TESTS)' $(K)/matrix
endif

storm: guest
	@MINUTES='$(MINUTES)' WHAT='$(WHAT)' DEBUG=1 $(K)/storm

ptrace-unharmed: guest
	@$(K)/ptrace-unharmed

compile: deps
	@$(K)/compile

lint: deps
	@$(K)/lint

integrate:
	@$(K)/integrate $(if $(R),-R) '$(TREE)'

patch:
	@$(K)/patch

bench: deps
	@tools/bench/run
	@tools/bench/scale
	@tools/bench/user-events

clean-cache:
	@$(K)/clean-cache
