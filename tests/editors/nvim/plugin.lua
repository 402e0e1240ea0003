-- The plugin against a scripted server: rows, columns, lenses and answers that a real server gives only now and then.

local t = dofile(vim.env.SUREFOOT_TESTS .. '/support.lua')
local FAKE = vim.env.SUREFOOT_FAKE

---@param options {encoding: string?, settings: table?}?
local function surefoot(options)
  options = options or {}
  local root = t.fresh()
  -- Assigned and not called: a call would add to what an earlier case has set.
  vim.lsp.config.surefoot = {
    cmd = { 'node', FAKE, 'surefoot' },
    cmd_env = { FAKE_ENCODING = options.encoding or 'utf-16' },
    settings = options.settings or {},
  }
  vim.lsp.enable('surefoot')
  return root
end

---@param options {encoding: string?, delay: integer?, filetypes: string[]?}?
local function neighbour(options)
  options = options or {}
  vim.lsp.config.neighbour = {
    cmd = { 'node', FAKE, 'neighbour' },
    cmd_env = { FAKE_ENCODING = options.encoding or 'utf-16', FAKE_DELAY = tostring(options.delay or 0) },
    filetypes = options.filetypes or { 'rust' },
    root_markers = { '.git' },
  }
  vim.lsp.enable('neighbour')
end

--- A request to the scripted server itself.
local function fake(client, method, params)
  local answer, err = client:request_sync(method, params or vim.empty_dict(), t.DEADLINE)
  assert(answer, err)
  assert(not answer.err, answer.err and answer.err.message)
  return answer.result
end

local CALLERS = {
  'src/cart.rs:5:47 ● certain cart › buy [use-import]',
  'src/cart.rs:10:5 ◐ likely cart › peek [use-import] by rust-analyzer 1.85.1',
  'src/cart.rs:10:28 ◐ likely cart › peek [use-import] by rust-analyzer 1.85.1',
  'src/cart.rs:14:5 ○ possible cart › checkout [value] - passed as a value',
  'web/src/page.tsx:8:9 ? unplaced call named load - no-receiver-type',
  'This list may be short: 1 call of `load` is not placed.',
}

for _, encoding in ipairs({ 'utf-8', 'utf-16' }) do
  t.case('callers stand at the right byte of the right file when the server counts in ' .. encoding, function()
    local root = surefoot({ encoding = encoding })
    t.equal(t.open('src/store.rs').offset_encoding, encoding)
    t.cursor(6, 'load')
    vim.cmd('Surefoot callers')
    t.wait('the quickfix list', function()
      return #vim.fn.getqflist() > 0
    end)
    t.equal(t.quickfix(root), CALLERS)
    vim.cmd.cfirst()
    t.equal(vim.fn.expand('<cword>'), 'load', 'the first item is on the call, behind two-byte letters and an emoji')
    t.equal(vim.fn.getqflist({ title = 1 }).title, 'Callers of load: at least 2 callers (+1 possible)')
  end)
end

t.case('a depth indents the callers of callers', function()
  local root = surefoot()
  t.open('src/store.rs')
  t.cursor(6, 'load')
  vim.cmd('Surefoot callers 2')
  t.wait('the quickfix list', function()
    return #vim.fn.getqflist() > 0
  end)
  t.equal(t.quickfix(root)[2], 'src/cart.rs:14:5   ● certain cart › checkout [same-module]')
end)

local function press(keys)
  vim.api.nvim_feedkeys(vim.keycode(keys), 'mx', false)
end

t.case('the tree opens level by level, marks recursion and opens the call', function()
  surefoot()
  t.open('src/store.rs')
  local window = vim.api.nvim_get_current_win()
  t.cursor(6, 'load')
  vim.cmd('Surefoot callers tree')
  t.wait('the tree', function()
    return vim.bo.filetype == 'surefoot'
  end)
  local function lines()
    return vim.api.nvim_buf_get_lines(0, 0, -1, false)
  end
  t.equal(lines()[1], 'Callers of load')
  t.equal(lines()[2], '▸ ● certain cart › buy [use-import]  src/cart.rs:5')
  t.equal(lines()[3], '▸ ◐ likely cart › peek [use-import] by rust-analyzer 1.85.1  src/cart.rs:10 ×2')
  t.equal(#lines(), 6)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  press('<Tab>')
  t.wait('the next level', function()
    return #lines() == 7
  end)
  t.equal(lines()[3], '  ▸ ● certain cart › checkout [same-module]  src/cart.rs:14')
  press('o')
  t.equal(#lines(), 6, 'closed again')
  press('<CR>')
  t.equal(vim.api.nvim_get_current_win(), window)
  t.equal(vim.fn.expand('%:.') .. ':' .. vim.fn.line('.') .. ' ' .. vim.fn.expand('<cword>'), 'src/cart.rs:5 load')

  vim.cmd('silent only | edit src/store.rs')
  t.cursor(20, 'countdown')
  vim.cmd('Surefoot callers tree')
  t.wait('the tree', function()
    return vim.bo.filetype == 'surefoot'
  end)
  t.matches(lines()[2], '^  ● certain store › countdown %[same%-module%] ↻ recursion')
end)

t.case('lenses follow the graph, although Neovim 0.11 has no refresh, and running one keeps it', function()
  local root = surefoot()
  local client = t.open('src/store.rs')
  local bufnr = vim.api.nvim_get_current_buf()
  t.wait('the first lens', function()
    return t.lenses(bufnr)[6] == 'cyclomatic 1 · 4 callers · rev 1'
  end)
  fake(client, 'fake/change', { uris = { vim.uri_from_bufnr(bufnr) } })
  t.wait('the lens to follow', function()
    return t.lenses(bufnr)[6] == 'cyclomatic 1 · 4 callers · rev 2'
  end)
  -- Ten changes while one request is under way end in the newest text, not in ten requests.
  local before = fake(client, 'fake/lensCalls')
  for _ = 1, 10 do
    fake(client, 'fake/change', { uris = { vim.uri_from_bufnr(bufnr) } })
  end
  t.wait('the newest lens', function()
    return t.lenses(bufnr)[6] == 'cyclomatic 1 · 4 callers · rev 12'
  end)
  assert(fake(client, 'fake/lensCalls') - before <= 11, 'at most one request for each change')

  t.cursor(6, 'load')
  vim.lsp.codelens.run()
  t.wait('the callers of the lens', function()
    return #vim.fn.getqflist() > 0
  end)
  t.equal(t.quickfix(root), CALLERS)
  t.wait('the lens to stand again', function()
    return t.lenses(bufnr)[6] ~= nil
  end)
  t.equal(t.said, {})
end)

t.case('no lenses when the user wants none', function()
  vim.g.surefoot_lens = false
  surefoot()
  local client = t.open('src/store.rs')
  fake(client, 'fake/change', { uris = { vim.uri_from_bufnr(0) } })
  t.equal(fake(client, 'fake/lensCalls'), 0)
  vim.g.surefoot_lens = nil
end)

local function question(client, encoding)
  local text = vim.fn.readfile('src/cart.rs')[5]
  local byte = text:find('load(', 1, true) - 1
  local character = vim.str_utfindex(text, encoding, byte)
  return fake(client, 'fake/ask', {
    textDocument = { uri = vim.uri_from_fname(vim.fn.fnamemodify('src/cart.rs', ':p')) },
    position = { line = 4, character = character },
    kind = 'definition',
    timeoutMs = 2000,
  })
end

for _, pair in ipairs({ { 'utf-16', 'utf-8' }, { 'utf-8', 'utf-16' } }) do
  local ours, theirs = unpack(pair)
  t.case(('a question in %s is asked in %s, and its answer comes back in ours'):format(ours, theirs), function()
    surefoot({ encoding = ours })
    neighbour({ encoding = theirs })
    local client = t.open('src/cart.rs')
    t.open('src/cart.rs', 'neighbour')
    local answer = question(client, ours)
    local text = vim.fn.readfile('src/cart.rs')[5]
    local from = vim.str_utfindex(text, ours, text:find('item', 1, true) - 1)
    t.equal(answer.unavailable, {})
    t.equal(#answer.answers, 1)
    t.equal(answer.answers[1].server, { name = 'neighbour', version = '9.9' })
    t.equal(answer.answers[1].locations, {
      {
        uri = vim.uri_from_bufnr(0),
        range = { start = { line = 4, character = from }, ['end'] = { line = 4, character = from + 4 } },
      },
    })
  end)
end

t.case('a neighbour that is slow is named as unavailable, and the editor does not wait for it', function()
  surefoot()
  neighbour({ delay = 60000 })
  local client = t.open('src/cart.rs')
  t.open('src/cart.rs', 'neighbour')
  local answer = question(client, 'utf-16')
  t.equal(answer, { answers = {}, unavailable = { { server = 'neighbour', why = 'no answer within 2000 ms' } } })
end)

t.case('a neighbour that is still reading has not answered when it finds nothing', function()
  surefoot()
  neighbour()
  local client = t.open('src/cart.rs')
  local other = t.open('src/cart.rs', 'neighbour')
  fake(other, 'fake/busy', { value = true })
  t.equal(question(client, 'utf-16'), { answers = {}, unavailable = { { server = 'neighbour', why = 'still busy: Reading crates' } } })
  fake(other, 'fake/busy', { value = false })
  t.equal(#question(client, 'utf-16').answers, 1)
end)

t.case('with nobody to ask, nobody answered: empty lists, not objects', function()
  surefoot()
  local client = t.open('src/cart.rs')
  local answer = question(client, 'utf-16')
  t.equal({ vim.islist(answer.answers), #answer.answers, #answer.unavailable }, { true, 0, 0 })
end)

local function answering()
  local names = vim.tbl_map(function(client)
    return client.name
  end, vim.lsp.get_clients({ bufnr = 0, method = 'textDocument/prepareCallHierarchy' }))
  table.sort(names)
  return names
end

t.case('the call hierarchy is left to a neighbour, in its language only, and taken back when it goes', function()
  surefoot()
  neighbour()
  t.open('src/cart.rs')
  local other = t.open('src/cart.rs', 'neighbour')
  t.wait('the neighbour to answer alone', function()
    return vim.deep_equal(answering(), { 'neighbour' })
  end)
  t.open('web/src/page.tsx')
  t.wait('Surefoot to answer where nobody else does', function()
    return vim.deep_equal(answering(), { 'surefoot' })
  end)
  vim.cmd.edit('src/cart.rs')
  vim.lsp.enable('neighbour', false)
  other:stop(true)
  t.wait('Surefoot to answer again', function()
    return vim.deep_equal(answering(), { 'surefoot' })
  end)
end)

t.case('with "always" both answer, because the user said so', function()
  surefoot({ settings = { surefoot = { callHierarchy = { provider = 'always' } } } })
  neighbour()
  t.open('src/cart.rs')
  t.open('src/cart.rs', 'neighbour')
  t.wait('both', function()
    return vim.deep_equal(answering(), { 'neighbour', 'surefoot' })
  end)
end)

t.case('an explanation is a text to read and a list of places to go to', function()
  surefoot()
  t.open('src/cart.rs')
  t.cursor(5, 'load(')
  vim.cmd('Surefoot explain')
  t.wait('the places', function()
    return #vim.fn.getloclist(0) > 0
  end)
  local items = vim.tbl_map(function(item)
    return ('%d:%d %s'):format(item.lnum, item.col, item.text)
  end, vim.fn.getloclist(0))
  t.equal(items, {
    '6:8 target: store › load',
    '1:19 import: use crate::store::load;',
    '9:8 refused: cart › peek - another name',
  })
  local float = t.wait('the text', function()
    return vim.iter(vim.api.nvim_list_wins()):find(function(window)
      return vim.api.nvim_win_get_config(window).relative ~= ''
    end)
  end)
  t.matches(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, 1, false)[1], 'load')

  vim.cmd('Surefoot explain')
  t.cursor(14, 'buy')
  vim.cmd('Surefoot explain')
  t.wait('a word about a place without a call', function()
    return vim.list_contains(t.said, 'surefoot: no call stands at the cursor')
  end)
end)

t.case('a report offers to write changed buffers, and verify lists the files that differ', function()
  local root = surefoot()
  t.open('src/store.rs')
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// changed' })
  local asked
  local confirm = vim.fn.confirm
  vim.fn.confirm = function(question)
    asked = question
    return 1
  end
  vim.cmd('Surefoot report')
  vim.fn.confirm = confirm
  t.matches(asked, 'src/store.rs')
  t.equal(vim.bo.modified, false)
  t.wait('the report', function()
    return vim.uv.fs_stat(root .. '/surefoot-report.json')
  end)
  t.wait('a word about it', function()
    return vim.list_contains(t.said, 'surefoot: surefoot-report.json: 12 entities, 7 calls, snapshot abcdef012345')
  end)

  vim.cmd('Surefoot verify')
  t.wait('the verdict', function()
    return #vim.fn.getqflist() > 0
  end)
  t.equal(t.quickfix(root), { 'src/store.rs:1:1 its digest' })
  t.equal(vim.fn.getqflist({ title = 1 }).title, 'surefoot-report.json: NOT verified')
  t.equal(vim.api.nvim_buf_get_lines(0, 0, 1, false), { 'not verified' })
end)

t.case('a snapshot is kept, and a comparison lists what changed since', function()
  local root = surefoot()
  t.open('src/store.rs')
  vim.cmd('Surefoot snapshot base')
  t.wait('a word about it', function()
    return vim.list_contains(t.said, 'surefoot: snapshot abcdef012345 (base) is kept')
  end)
  vim.cmd('Surefoot diff base')
  t.wait('the comparison', function()
    return #vim.fn.getqflist() > 0
  end)
  t.equal(t.quickfix(root), { 'src/store.rs:1:1 changed since the snapshot' })
  t.equal(vim.api.nvim_buf_get_lines(0, 0, 1, false), { 'base and now' })
end)

t.case('subcommands complete, and a wrong one is told which there are', function()
  t.equal(vim.fn.getcompletion('Surefoot ', 'cmdline'), { 'callees', 'callers', 'diff', 'disagreements', 'explain', 'report', 'snapshot', 'status', 'verify' })
  t.equal(vim.fn.getcompletion('Surefoot callers t', 'cmdline'), { 'tree' })
  vim.cmd('Surefoot nonsense')
  t.matches(t.said[1], 'there is no :Surefoot nonsense; there are callees, callers')
  vim.cmd('Surefoot callers 17')
  t.matches(t.said[2], 'a depth from 1 to 16, not "17"')
end)

t.case('without a server, a command says what to do', function()
  t.fresh()
  vim.cmd('Surefoot callers')
  t.matches(t.said[1], 'no server is attached: see :checkhealth surefoot')
end)

t.case(':checkhealth names the server, its root and who answers the call hierarchy', function()
  local root = surefoot()
  t.open('src/store.rs')
  vim.cmd('silent checkhealth surefoot')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  for _, part in ipairs({
    'server: surefoot 0.1.0, positions in utf%-16',
    'root: ' .. vim.pesc(root),
    'call hierarchy of src/store.rs is answered by: surefoot',
    'Surefoot: all is well',
  }) do
    t.matches(text, part)
  end
end)

t.case('lsp/surefoot.lua alone is enough to start, and promises nothing it has not', function()
  local alone = vim.fn.tempname()
  vim.fn.mkdir(alone .. '/lsp', 'p')
  vim.fn.writefile(vim.fn.readfile(vim.api.nvim_get_runtime_file('lsp/surefoot.lua', false)[1]), alone .. '/lsp/surefoot.lua')
  local script = alone .. '/print.lua'
  vim.fn.writefile({
    ('vim.opt.runtimepath:prepend(%q)'):format(alone),
    'local config = vim.lsp.config.surefoot',
    'io.stdout:write(table.concat(config.cmd, " "), "|", tostring(config.init_options))',
  }, script)
  local run = vim.system({ vim.v.progpath, '--headless', '--clean', '-l', script }, { text = true }):wait()
  t.equal(run.stdout, 'surefoot lsp|nil', run.stderr)
end)

t.finish()
