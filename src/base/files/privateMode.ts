/** True if other accounts can read or change a file with this mode. Windows has no such mode bits. */
export function isOpenToOthers(mode: number, platform: NodeJS.Platform = process.platform): boolean {
	return platform !== 'win32' && (mode & 0o077) !== 0;
}
