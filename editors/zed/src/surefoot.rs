//! Tells Zed how to start Surefoot: the program of the user's settings, else the one on the PATH.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree, serde_json};

struct Surefoot;

impl zed::Extension for Surefoot {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let named = LspSettings::for_worktree(id.as_ref(), worktree)?.binary.and_then(|binary| binary.path);
        let command = named.or_else(|| worktree.which("surefoot")).ok_or(
            "`surefoot` is not on the PATH: run `cargo xtask install` in its source, or name it in \
             lsp.surefoot.binary.path",
        )?;
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings;
        Ok(settings.map(|settings| serde_json::json!({ "settings": settings })))
    }
}

zed::register_extension!(Surefoot);
