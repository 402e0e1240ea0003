-- A call that the source alone cannot place is placed by another server of the editor, and shown with its name and version.

local t = dofile(vim.env.SUREFOOT_TESTS .. '/support.lua')
local SERVER = vim.env.SUREFOOT_SERVER

-- What `pear!()` is only its expansion tells.
local LENT = {
  ['src/lent.rs'] = {
    'use crate::store::Item;',
    '',
    'macro_rules! pear {',
    '    () => {',
    '        Item { name: String::new(), price: 3 }',
    '    };',
    '}',
    '',
    'pub fn lent() -> u32 {',
    '    pear!().total(2)',
    '}',
  },
  ['src/lib.rs'] = { 'pub mod cart;', 'pub mod lent;', 'pub mod store;' },
}

---@param neighbour vim.lsp.Config
---@param settings table?
---@return string
local function fresh(neighbour, settings)
  local root = t.fresh(LENT)
  -- Assigned and not called: a call would add to what an earlier case has set.
  vim.lsp.config.surefoot = { cmd = { SERVER, 'lsp' }, settings = settings or {} }
  neighbour.filetypes, neighbour.root_markers = { 'rust' }, { 'Cargo.toml' }
  vim.lsp.config.neighbour = neighbour
  vim.lsp.enable({ 'surefoot', 'neighbour' })
  return root
end

---@return vim.lsp.Config
local function scripted(delay)
  return {
    cmd = { 'node', vim.env.SUREFOOT_FAKE, 'neighbour' },
    cmd_env = {
      FAKE_DELAY = tostring(delay or 0),
      FAKE_DEFINITION = vim.json.encode({ from = { 'src/lent.rs', 10, 'total' }, to = { 'src/store.rs', 12, 'total' } }),
    },
  }
end

--- The callers of Item::total that our server gives at this moment.
local function callers(client)
  local params = {
    textDocument = { uri = vim.uri_from_fname(vim.fn.fnamemodify('src/store.rs', ':p')) },
    position = { line = 11, character = 11 },
    direction = 'callers',
  }
  local answer = client:request_sync('surefoot/callTree', params, t.DEADLINE)
  return answer and answer.result and answer.result.nodes or {}
end

local function lent(client)
  return vim.iter(callers(client)):find(function(node)
    return node.symbol and node.symbol.name == 'lent'
  end)
end

t.case('before anybody is asked the call is unplaced, and no caller', function()
  t.fresh(LENT)
  local said = vim.system({ SERVER, 'explain', 'src/lent.rs:10:13' }, { text = true }):wait()
  t.matches(said.stdout, 'undetermined', 'choose another call for this test: the source places this one by now')
end)

t.case('a scripted neighbour places the call, and the row names it', function()
  fresh(scripted())
  local client = t.open('src/lent.rs')
  local node = t.wait('the call to be placed', function()
    return lent(client)
  end)
  t.matches(node.resolver, '^neighbour 9%.9')
  vim.cmd.edit('src/store.rs')
  t.cursor(12, 'total')
  vim.cmd('Surefoot callers')
  t.wait('the row', function()
    return vim.iter(vim.fn.getqflist()):any(function(item)
      return item.text:find('lent', 1, true) and item.text:find('by neighbour 9.9', 1, true)
    end)
  end)

  -- An edit takes the borrowed answer with it, and it is asked about anew.
  vim.cmd.edit('src/lent.rs')
  vim.api.nvim_buf_set_lines(0, 8, 8, false, { '// above' })
  t.wait('the call to be placed again, one line below', function()
    local again = lent(client)
    return again and again.sites[1].range.start.line == 10
  end)
end)

t.case('a lens counts the placed call, on the line where it stood', function()
  fresh(scripted(1500))
  t.open('src/lent.rs')
  local client = t.open('src/store.rs')
  local bufnr = vim.api.nvim_get_current_buf()
  local before = t.wait('the lens', function()
    return t.lenses(bufnr)[12]
  end)
  t.matches(before, '2 callers')
  local after = t.wait('the lens to count one more', function()
    local lens = t.lenses(bufnr)[12]
    return lens ~= before and lens
  end)
  t.matches(after, '3 callers')
  t.matches(lent(client).resolver, '^neighbour 9%.9')
end)

t.case('nothing is asked when the user wants none', function()
  fresh(scripted(), { surefoot = { bridge = { ask = false } } })
  local client = t.open('src/lent.rs')
  local other = t.open('src/lent.rs', 'neighbour')
  -- The lens of the file is there, so it is read and published, and the unplaced call is known.
  local bufnr = vim.api.nvim_get_current_buf()
  t.wait('the lens', function()
    return t.lenses(bufnr)[9]
  end)
  local asked = {}
  local request = other.request
  other.request = function(self, method, ...)
    table.insert(asked, method)
    return request(self, method, ...)
  end
  -- Longer than the rest after which it would ask; a wait for something that must not come has to end by time.
  vim.wait(2000, function()
    return #asked > 0
  end, 50)
  t.equal(asked, {})
  t.equal(lent(client), nil)
end)

t.case('rust-analyzer itself places the call, under its own name and version', function()
  fresh({
    cmd = { vim.env.SUREFOOT_RUST_ANALYZER },
    -- No sources of the standard library are there, and none may be fetched.
    init_options = { cargo = { sysroot = vim.NIL }, checkOnSave = false, cachePriming = { enable = false } },
    -- It says so, twice.
    handlers = { ['window/showMessage'] = function() end },
  })
  local client = t.open('src/lent.rs')
  local analyzer = t.open('src/lent.rs', 'neighbour')
  -- It reads the crate first, and is asked again after pauses that grow.
  local node = t.wait('the call to be placed', function()
    return lent(client)
  end, 120000)
  t.equal(analyzer.server_info.name, 'rust-analyzer')
  t.matches(node.resolver, '^rust%-analyzer 1%.85%.1')
  t.equal(node.sites[1].range.start.line, 9)
end)

t.finish()
