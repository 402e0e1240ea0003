// Writes a report of a folder, checks one, and compares the folder with what was kept: the answer as a page, the files
// that differ as problems.

import {
    DiagnosticSeverity,
    env,
    languages,
    ProgressLocation,
    Range,
    Uri,
    window,
    workspace,
    type CancellationToken,
    type Disposable,
    type DiagnosticCollection,
    type WorkspaceFolder,
} from 'vscode';
import type { Pages } from './explain';
import { compare, report, saveSnapshot, snapshots, verify, type KeptSnapshot } from './protocol';
import type { Server } from './server';

const NAME = 'surefoot-report.json';

export class Reports implements Disposable {
    private readonly problems: DiagnosticCollection = languages.createDiagnosticCollection('surefoot-verify');
    /** The report written or checked last in this session. */
    private last: Uri | undefined;

    constructor(
        private readonly server: Server,
        private readonly pages: Pages,
    ) {}

    async export(): Promise<void> {
        const folder = await pickFolder('Which folder should the report be about?');
        if (!folder || !(await this.saveDirty(folder))) {
            return;
        }
        const target = await window.showSaveDialog({
            title: `Report of ${folder.name}`,
            saveLabel: 'Export',
            defaultUri: Uri.joinPath(folder.uri, NAME),
            filters: { 'Surefoot report': ['json'] },
        });
        if (!target) {
            return;
        }
        const written = await this.working(`Surefoot: writing a report of ${folder.name}`, 'writing the report', (token, tell) =>
            this.server.long(report, { root: folder.uri.toString(), path: target.fsPath, html: true }, token, tell),
        );
        if (!written) {
            return;
        }
        this.last = target;
        const complete = written.isComplete ? '' : ' It is not complete: it lists what was skipped and why.';
        const action = await window.showInformationMessage(
            `Report of ${folder.name} written: ${written.entities} entities, ${written.callEdges} calls, snapshot ` +
                `${written.snapshotId.slice(0, 12)}.${complete}`,
            'Open',
            'Open Page',
            'Verify Now',
        );
        if (action === 'Open') {
            await window.showTextDocument(target);
        } else if (action === 'Open Page' && written.html) {
            await env.openExternal(Uri.file(written.html));
        } else if (action === 'Verify Now') {
            await this.check(folder, target);
        }
    }

    async verify(): Promise<void> {
        const folder = await pickFolder('Which folder should the report be compared with?');
        if (!folder) {
            return;
        }
        const picked = await window.showOpenDialog({
            title: `A report of ${folder.name}`,
            openLabel: 'Verify',
            canSelectMany: false,
            defaultUri: this.last ?? Uri.joinPath(folder.uri, NAME),
            filters: { 'Surefoot report': ['json'] },
        });
        const target = picked?.[0];
        if (target && (await this.saveDirty(folder))) {
            await this.check(folder, target);
        }
    }

    async compareWithSnapshot(): Promise<void> {
        const folder = await pickFolder('Which folder should be compared with a snapshot?');
        if (!folder) {
            return;
        }
        const root = folder.uri.toString();
        const kept = await this.server.attempt('listing the snapshots', () => this.server.request(snapshots, { root }));
        if (!kept) {
            return;
        }
        const keep = { label: '$(add) Keep a snapshot of the folder as it is now', snapshot: undefined };
        const picked = await window.showQuickPick(
            [...kept.snapshots.map((snapshot) => ({ ...row(snapshot), snapshot })), keep],
            { title: `Compare ${folder.name} with`, placeHolder: 'A snapshot that was kept', matchOnDescription: true },
        );
        if (!picked || !(await this.saveDirty(folder))) {
            return;
        }
        const { snapshot } = picked;
        if (!snapshot) {
            await this.keep(folder);
            return;
        }
        const comparison = await this.working(`Surefoot: comparing ${folder.name}`, 'comparing with the snapshot', (token, tell) =>
            this.server.long(compare, { root, snapshot: snapshot.id }, token, tell),
        );
        if (!comparison) {
            return;
        }
        this.show(comparison.differs, '', 'surefoot compare');
        const page = await workspace.openTextDocument(this.pages.put('Comparison.txt', comparison.text));
        await window.showTextDocument(page, { preview: true });
    }

    private async keep(folder: WorkspaceFolder): Promise<void> {
        const saved = await this.working(`Surefoot: keeping a snapshot of ${folder.name}`, 'keeping a snapshot', (token, tell) =>
            this.server.long(saveSnapshot, { root: folder.uri.toString(), name: null }, token, tell),
        );
        if (saved) {
            const how = saved.reused ? 'was kept already' : 'is kept';
            void window.showInformationMessage(`Snapshot ${saved.id.slice(0, 12)} of ${folder.name} ${how}.`);
        }
    }

    private async check(folder: WorkspaceFolder, target: Uri): Promise<void> {
        this.last = target;
        const verdict = await this.working(`Surefoot: verifying a report of ${folder.name}`, 'verifying the report', (token, tell) =>
            this.server.long(verify, { root: folder.uri.toString(), report: target.fsPath }, token, tell),
        );
        if (!verdict) {
            return;
        }
        this.show(verdict.differs, 'Differs from the report: ', 'surefoot verify');
        const page = await workspace.openTextDocument(this.pages.put('Verdict.txt', verdict.text));
        await window.showTextDocument(page, { preview: true });
        const count = verdict.differs.length;
        if (verdict.verified) {
            void window.showInformationMessage(`Verified: ${folder.name} is what the report says.`);
        } else {
            void window.showWarningMessage(
                count === 0
                    ? `Not verified: the verdict says why.`
                    : `Not verified: ${count === 1 ? '1 place differs' : `${count} places differ`} from the report. They are in Problems.`,
            );
        }
    }

    private show(differs: { uri: string; what: string }[], before: string, source: string): void {
        this.problems.clear();
        const byFile = new Map<string, string[]>();
        for (const { uri, what } of differs) {
            byFile.set(uri, [...(byFile.get(uri) ?? []), what]);
        }
        for (const [uri, whats] of byFile) {
            this.problems.set(
                Uri.parse(uri),
                whats.map((what) => ({
                    message: `${before}${what}`,
                    range: new Range(0, 0, 0, 0),
                    severity: DiagnosticSeverity.Warning,
                    source,
                })),
            );
        }
    }

    /** The report reads the disk. False when the user would rather not go on. */
    private async saveDirty(folder: WorkspaceFolder): Promise<boolean> {
        const dirty = workspace.textDocuments.filter(
            (document) => document.isDirty && workspace.getWorkspaceFolder(document.uri) === folder,
        );
        if (dirty.length === 0) {
            return true;
        }
        const what = dirty.length === 1 ? '1 file has unsaved changes' : `${dirty.length} files have unsaved changes`;
        const action = await window.showWarningMessage(
            `${what}, and a report is about what is on the disk.`,
            { modal: true, detail: dirty.map((document) => workspace.asRelativePath(document.uri)).join('\n') },
            'Save All',
            'Go On Without Saving',
        );
        if (action === 'Save All') {
            const saved = await Promise.all(dirty.map((document) => document.save()));
            return saved.every(Boolean);
        }
        return action !== undefined;
    }

    private async working<T>(
        title: string,
        what: string,
        operation: (token: CancellationToken, tell: (percent: number, message: string) => void) => Promise<T>,
    ): Promise<T | undefined> {
        return window.withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, token) =>
            this.server.attempt(what, async () => {
                let before = 0;
                try {
                    return await operation(token, (percent, message) => {
                        progress.report({ increment: Math.max(0, percent - before), message });
                        before = Math.max(before, percent);
                    });
                } catch (error) {
                    if (token.isCancellationRequested) {
                        return undefined;
                    }
                    throw error;
                }
            }),
        );
    }

    dispose(): void {
        this.problems.dispose();
    }
}

/** How a snapshot shows in a list. */
function row(snapshot: KeptSnapshot): { label: string; description: string; detail: string } {
    const when = new Date(snapshot.savedAt * 1000).toLocaleString();
    const notes = [snapshot.label, snapshot.revision].filter((note) => note);
    return {
        label: snapshot.names[0] ?? snapshot.id.slice(0, 12),
        description: [...snapshot.names.slice(1), ...notes].join('  '),
        detail: `${when}, ${snapshot.files} files${snapshot.isComplete ? '' : ', not complete'}`,
    };
}

/** The folder of the active editor first; without asking when there is one only. */
async function pickFolder(placeHolder: string): Promise<WorkspaceFolder | undefined> {
    const folders = (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    if (folders.length === 0) {
        void window.showWarningMessage('Surefoot: a report is about a folder on disk, and none is open.');
        return undefined;
    }
    if (folders.length === 1) {
        return folders[0];
    }
    return window.showWorkspaceFolderPick({ placeHolder });
}
