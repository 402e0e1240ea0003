#!/bin/sh
# Stands in for rustc on workspace members: the ordinary build first, then the target's typed THIR once more.
#
# Cargo sets every variable that `env!` may read, so running here beats replaying a printed command line.
# RUSTC_BOOTSTRAP reaches only the second run: a build script that saw it would probe for nightly features.
# SUREFOOT_THIR_OUT is where the tree goes; SUREFOOT_THIR_CRATE is the name of the one crate to print.
"$@" || exit $?
case " $* " in
  *" --crate-name $SUREFOOT_THIR_CRATE "*) ;;
  *) exit 0 ;;
esac
case " $* " in
  *" --crate-type $SUREFOOT_THIR_TYPE "*) ;;
  *) exit 0 ;;
esac
RUSTC_BOOTSTRAP=1 "$@" -Zunpretty=thir-tree >"$SUREFOOT_THIR_OUT"
