import type { Localization } from '#base/text/localization.ts';

const timeLimitMs = 15_000;
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);

/** A file of the web, or why there is none, as half a sentence; `status`: what its server answered then. */
export type WebFile = { readonly type: string; readonly data: Buffer } | { readonly problem: string; readonly status?: number };

/** Fetches what a user asked for, without any credentials. `bytes`: most that are taken; `images`: nothing else is. Never rejects. */
export async function fetchFile(
	address: string,
	{ bytes, images = false }: { readonly bytes: number; readonly images?: boolean },
	words: Localization,
): Promise<WebFile> {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		return { problem: words.t('its address is not on the web') };
	}
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(timeLimitMs), credentials: 'omit', referrerPolicy: 'no-referrer' });
		const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? '';
		if (!response.ok || !response.body) {
			await response.body?.cancel();
			return { problem: words.t('its server answered {0}', response.status), status: response.status };
		}
		if (images && !imageTypes.has(type)) {
			await response.body.cancel();
			return { problem: words.t('it is no image but {0}', type || words.t('of an unknown type')) };
		}
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of response.body) {
			size += chunk.length;
			if (size > bytes) {
				return { problem: words.t('it is larger than {0} MB', bytes / 1048576) };
			}
			chunks.push(chunk);
		}
		return { type, data: Buffer.concat(chunks) };
	} catch {
		return { problem: words.t('its server could not be reached') };
	}
}
