-- A Neovim with nothing of the user's, and the plugin where `cargo xtask install` has put it: sourced by every test.

assert(#vim.api.nvim_get_runtime_file('lsp/surefoot.lua', false) == 1, 'the plugin is not installed, or twice')
vim.o.swapfile = false
vim.o.shada = ''
-- Messages and prompts must never wait for a key.
vim.o.more = false
vim.o.cmdheight = 10
