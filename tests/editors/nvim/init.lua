-- A Neovim with nothing of the user's, and this repository's plugin: sourced by every test.

vim.opt.runtimepath:prepend(vim.env.SUREFOOT_PLUGIN)
vim.o.swapfile = false
vim.o.shada = ''
-- Messages and prompts must never wait for a key.
vim.o.more = false
vim.o.cmdheight = 10
