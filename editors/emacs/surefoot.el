;;; surefoot.el --- Who calls this, and how do you know  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; Tells eglot and lsp-mode how to start Surefoot.  lsp-mode runs it beside the server a language has already; eglot runs
;; one server for a mode, so there it is a choice: M-x surefoot-eglot in a buffer.

;;; Code:

(defvar surefoot-command '("surefoot" "lsp")
  "The program that is started, and its arguments.")

(defvar surefoot-settings nil
  "The settings of docs/settings.md without their prefix, as a property list.
For example (:hover \"full\" :codeLens (:minComplexity 10)).")

(defvar eglot-server-programs)
(declare-function eglot "eglot")
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")

(defun surefoot-eglot ()
  "Start Surefoot as the server of this buffer's project with eglot."
  (interactive)
  (require 'eglot)
  (let* ((options (and surefoot-settings
                       (list :initializationOptions (list :settings surefoot-settings))))
         (eglot-server-programs
          (cons (cons major-mode (append surefoot-command options))
                eglot-server-programs)))
    (call-interactively #'eglot)))

(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection (lambda () surefoot-command))
    :activation-fn (lsp-activate-on "rust" "typescript" "typescriptreact" "javascript" "javascriptreact" "python")
    :initialization-options (lambda () (and surefoot-settings (list :settings surefoot-settings)))
    :add-on? t
    :server-id 'surefoot)))

(provide 'surefoot)
;;; surefoot.el ends here
