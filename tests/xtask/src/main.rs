//! Chores of the house, each a module: `cargo xtask <chore>`.

mod accuracy;
mod bench;
mod editors;
mod install;
mod new_lang;
mod run;
mod servers;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <chore>

  tidy               check layers, words, lengths, tests, decisions and generated pages
  install            put the server and the plugins into VS Code, code-server and Neovim, whichever is found
  editors            drive the real editors (VS Code in a browser, Neovim)
  accuracy [..]      compare edges with compilers on pinned projects
  bench [..]         paired measurements
  servers [NAME ..]  ask the real language servers that are on this machine, kill them, and look what is left
  new-lang NAME      lay out the folder of a new language
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next().unwrap_or_default();
    if chore == servers::GUARD {
        return surefoot_bridge::guard::run(std::env::args_os().skip(2));
    }
    let rest: Vec<String> = args.collect();
    let done = match chore.as_str() {
        "tidy" => tidy::run(&rest),
        "install" => install::run(&rest),
        "editors" => editors::run(&rest),
        "accuracy" => accuracy::run(&rest),
        "bench" => bench::run(&rest),
        "servers" => servers::run(&rest),
        "new-lang" => new_lang::run(&rest),
        "" | "help" | "-h" | "--help" => {
            print!("{USAGE}");
            return if chore.is_empty() {
                ExitCode::from(2)
            } else {
                ExitCode::SUCCESS
            };
        }
        other => {
            eprint!("There is no chore `{other}`.\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
