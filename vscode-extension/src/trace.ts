// The protocol trace: the client library writes it only at log level Trace; here the setting alone decides.

import { EventEmitter, LogLevel, workspace, type Disposable, type LogOutputChannel } from 'vscode';

export function traceChannel(log: LogOutputChannel): { channel: LogOutputChannel; disposable: Disposable } {
    const level = () =>
        workspace.getConfiguration('surefoot').get('trace.server', 'off') === 'off' ? LogLevel.Info : LogLevel.Trace;
    const changed = new EventEmitter<LogLevel>();
    const listener = workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('surefoot.trace.server')) {
            changed.fire(level());
        }
    });
    // Around an empty object: VS Code freezes its channels, and a proxy may not answer differently for those.
    const channel = new Proxy({} as LogOutputChannel, {
        get(_, property) {
            switch (property) {
                case 'logLevel':
                    return level();
                case 'onDidChangeLogLevel':
                    return changed.event;
                case 'trace':
                    return log.info.bind(log);
                default: {
                    const value: unknown = Reflect.get(log, property, log);
                    return typeof value === 'function' ? value.bind(log) : value;
                }
            }
        },
    });
    return {
        channel,
        disposable: {
            dispose() {
                listener.dispose();
                changed.dispose();
            },
        },
    };
}
