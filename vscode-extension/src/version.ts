// The handshake: extension and server fit together when major and minor are the same.

export function versionsDiffer(extension: string, server: string | undefined): boolean {
    const minor = (version: string) => version.split('.').slice(0, 2).join('.');
    return server === undefined || minor(extension) !== minor(server);
}
