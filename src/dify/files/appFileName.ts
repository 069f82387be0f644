/** Characters of a file's name without its ending: what every file system takes, with room for the endings of files beside it. */
const longest = 64;
/** Bytes of it: file systems count these, 255 with all endings. */
const mostBytes = 180;
/** Names that Windows keeps for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/**
 * Name of the file for an app of this name, without its ending: letters, digits, `_` and `-` of any script, whatever the name holds; never empty, never
 * a path, never a name that some system keeps for itself.
 */
export function appFileName(name: string): string {
	const plain = name
		.normalize('NFC')
		.replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
		.replaceAll(/-{2,}/g, '-');
	const kept = trimmed(cut(trimmed(plain)));
	return kept === '' ? 'app' : devices.test(kept) ? `${kept}-app` : kept;
}

/** A name that none of `taken` has, whatever the case of its letters: the one that is wanted, else with a number. */
export function freeFileName(wanted: string, taken: Iterable<string>): string {
	const others = new Set([...taken].map(sameName));
	for (let n = 1; ; n++) {
		const name = n === 1 ? wanted : `${wanted}-${n}`;
		if (!others.has(sameName(name))) {
			return name;
		}
	}
}

/** What two names have in common that are one file to a file system that takes no notice of case and of how letters are composed. */
export function sameName(name: string): string {
	return name.normalize('NFC').toLowerCase();
}

function trimmed(name: string): string {
	return name.replaceAll(/^[-\p{M}]+|(?<!-)-+$/gu, '');
}

/** As many whole characters as fit. */
function cut(name: string): string {
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
