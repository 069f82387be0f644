import * as vscode from 'vscode';

/** Most bytes of a remote image that is shown. */
const byteLimit = 5 * 1024 * 1024;
const timeLimitMs = 15_000;
const types = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);

/** Fetches an image that the user clicked, for the page to show as data: the page itself has no network. */
export async function loadImage(address: string): Promise<{ data: string } | { problem: string }> {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		return { problem: vscode.l10n.t('its address is not on the web') };
	}
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(timeLimitMs), credentials: 'omit', referrerPolicy: 'no-referrer' });
		const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? '';
		if (!response.ok || !response.body) {
			return { problem: vscode.l10n.t('its server answered {0}', response.status) };
		}
		if (!types.has(type)) {
			await response.body.cancel();
			return { problem: vscode.l10n.t('it is no image but {0}', type || vscode.l10n.t('of an unknown type')) };
		}
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of response.body) {
			size += chunk.length;
			if (size > byteLimit) {
				return { problem: vscode.l10n.t('it is larger than {0} MB', byteLimit / 1048576) };
			}
			chunks.push(chunk);
		}
		return { data: `data:${type};base64,${Buffer.concat(chunks).toString('base64')}` };
	} catch {
		return { problem: vscode.l10n.t('its server could not be reached') };
	}
}
