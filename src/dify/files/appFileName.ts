/** Maximum length of a file name without its extension, in characters. Leaves room for extensions on every file system. */
const longest = 64;
/** The same limit in bytes, because file systems limit names to 255 bytes, including extensions. */
const mostBytes = 180;
/** Device names reserved by Windows, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/**
 * Returns the file name for an app, without extension: only letters, digits, `_` and `-` of any script. Never empty, a path or a reserved
 * name.
 */
export function createAppFileName(name: string): string {
	const plain = name
		.normalize('NFC')
		.replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
		.replaceAll(/-{2,}/g, '-');
	const kept = trimName(cutName(trimName(plain)));
	return kept === '' ? 'app' : devices.test(kept) ? `${kept}-app` : kept;
}

/** Returns the wanted name if it isn't in `taken` (ignoring case), otherwise with a number. */
export function findFreeFileName(wanted: string, taken: Iterable<string>): string {
	const others = new Set([...taken].map(normalizeName));
	for (let n = 1; ; n++) {
		const name = n === 1 ? wanted : `${wanted}-${n}`;
		if (!others.has(normalizeName(name))) {
			return name;
		}
	}
}

/** Normalizes a name as file systems do that ignore case and Unicode composition. */
export function normalizeName(name: string): string {
	return name.normalize('NFC').toLowerCase();
}

function trimName(name: string): string {
	return name.replaceAll(/^[-\p{M}]+|(?<!-)-+$/gu, '');
}

/** Cuts a name to the maximum length without splitting a character. */
function cutName(name: string): string {
	let bytes = 0;
	let kept = '';
	for (const character of [...name].slice(0, longest)) {
		bytes += Buffer.byteLength(character);
		if (bytes > mostBytes) {
			break;
		}
		kept += character;
	}
	return kept;
}
