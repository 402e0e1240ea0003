// Searches the declarations of this page. Nothing leaves it.
(function () {
  "use strict";
  var rows = JSON.parse(document.getElementById("declarations").textContent);
  var field = document.getElementById("query");
  var count = document.getElementById("found");
  var body = document.getElementById("results");
  var MOST = 100;

  function cell(row, text, numeric) {
    var td = document.createElement("td");
    td.textContent = text === null ? "–" : text;
    td.className = numeric ? "n" : "mono";
    row.appendChild(td);
  }

  function show() {
    var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    body.textContent = "";
    if (words.length === 0) {
      count.textContent = rows.length + " declarations can be searched.";
      return;
    }
    var found = 0;
    for (var i = 0; i < rows.length; i++) {
      var text = (rows[i][0] + " " + rows[i][1]).toLowerCase();
      if (!words.every(function (word) { return text.indexOf(word) >= 0; })) { continue; }
      found++;
      if (found > MOST) { continue; }
      var tr = document.createElement("tr");
      cell(tr, rows[i][0]);
      cell(tr, rows[i][1]);
      for (var n = 2; n < rows[i].length; n++) { cell(tr, rows[i][n], true); }
      body.appendChild(tr);
    }
    count.textContent = found + (found === 1 ? " declaration" : " declarations") +
      (found > MOST ? ", the first " + MOST + " shown" : "");
  }

  document.getElementById("search").hidden = false;
  field.addEventListener("input", show);
  show();
})();
