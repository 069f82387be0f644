/** Number of bytes to examine, enough for any language. */
const sampledBytes = 65_536;
/** Minimum share of common characters for a charset to be accepted. */
const believed = 0.7;

/** Number of non-ASCII characters that the bytes would have in a charset, and how many of them are common in its languages. */
interface Count {
	readonly all: number;
	readonly usual: number;
}

/**
 * Guesses the charset of bytes that aren't UTF-8. Decodes a sample in each candidate and chooses the one with the largest share of common
 * characters. Returns Windows-1252 if none fits.
 */
export function detectCharset(bytes: Uint8Array): string {
	const sample = bytes.subarray(0, sampledBytes);
	let best = { label: 'windows-1252', share: believed };
	for (const [label, count] of candidates) {
		const { all, usual } = isValidInCharset(label, sample) ? count(sample) : { all: 0, usual: 0 };
		const share = all > 0 ? usual / all : 0;
		if (share > best.share) {
			best = { label, share };
		}
	}
	return best.label;
}

function isValidInCharset(label: string, sample: Uint8Array): boolean {
	try {
		// the sample may end in the middle of a character
		new TextDecoder(label, { fatal: true }).decode(sample, { stream: true });
		return true;
	} catch {
		return false;
	}
}

/** On a tie the first candidate wins: EUC-KR is a subset of the characters that count as common in GBK. */
const candidates: readonly (readonly [string, (bytes: Uint8Array) => Count])[] = [
	['shift_jis', countShiftJis],
	['euc-kr', countKorean],
	['euc-jp', countEucJp],
	[
		'gb18030',
		bytes => countPairs(bytes, (lead, trail) => (lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1 ? 1 : lead >= 0xa1 && lead <= 0xa3 ? 1 : 0)),
	],
	['big5', countBig5],
	['windows-1251', countCyrillic],
];

/** Counts two-byte characters, and adds up how common they are (`weightOf`). */
function countPairs(bytes: Uint8Array, weightOf: (lead: number, trail: number) => number): Count {
	let all = 0;
	let usual = 0;
	for (let i = 0; i + 1 < bytes.length; i++) {
		const lead = bytes[i] as number;
		if (lead >= 0x80) {
			i++;
			all++;
			usual += weightOf(lead, bytes[i] as number);
		}
	}
	return { all, usual };
}

/** Counts kana, punctuation and level 1 kanji as common. Half-width katakana are single bytes and rare. */
function countShiftJis(bytes: Uint8Array): Count {
	let all = 0;
	let usual = 0;
	for (let i = 0; i < bytes.length; i++) {
		const lead = bytes[i] as number;
		if (lead < 0x80) {
			continue;
		}
		all++;
		if (lead < 0xa1 || lead > 0xdf) {
			i++;
			usual += (lead >= 0x81 && lead <= 0x83) || (lead >= 0x88 && lead <= 0x97) ? 1 : 0;
		}
	}
	return { all, usual };
}

/** Requires some kana, which distinguish Japanese from Chinese characters in the same range. */
function countEucJp(bytes: Uint8Array): Count {
	let kana = 0;
	const count = countPairs(bytes, lead => {
		kana += lead === 0xa4 || lead === 0xa5 ? 1 : 0;
		return lead === 0xa1 || lead === 0xa4 || lead === 0xa5 || (lead >= 0xb0 && lead <= 0xcf) ? 1 : 0;
	});
	return kana * 10 >= count.all ? count : { ...count, usual: 0 };
}

/** The most frequent Korean syllables. Chinese text decoded as Korean contains few of them. */
const commonSyllables = new Set(
	'이다는의에을가고하한지로은도자기사를시어대인그나서리일정해수아제들부스니면과주전보여장만상여원성라있게으우동모공국유비조안선구무생문소명신나내방연화름번호격날짜금액',
);

function countKorean(bytes: Uint8Array): Count {
	const count = countPairs(bytes, (lead, trail) =>
		lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1 ? 1 : lead === 0xa1 || lead === 0xa3 ? 1 : 0,
	);
	const text = new TextDecoder('euc-kr').decode(bytes);
	const common = [...text].filter(character => commonSyllables.has(character)).length;
	return common * 4 >= count.all ? count : { ...count, usual: 0 };
}

/** Expects some ASCII second bytes: half of the characters in Big5 have one, but few in other charsets. */
function countBig5(bytes: Uint8Array): Count {
	let low = 0;
	const count = countPairs(bytes, (lead, trail) => {
		low += trail < 0x80 ? 1 : 0;
		return lead >= 0xa1 && lead <= 0xc6 ? 1 : 0;
	});
	return low > 0 ? count : { ...count, usual: count.usual * 0.9 };
}

/**
 * Counts adjacent letters as common if only the first letter or all letters of a word are capitals. Western texts have isolated non-ASCII
 * letters.
 */
function countCyrillic(bytes: Uint8Array): Count {
	let all = 0;
	let usual = 0;
	const isLetter = (byte = 0) => byte >= 0xc0 || byte === 0xa8 || byte === 0xb8;
	const isLowercaseLetter = (byte = 0) => byte >= 0xe0 || byte === 0xb8;
	for (const [at, byte] of bytes.entries()) {
		if (byte < 0x80) {
			continue;
		}
		all++;
		const [before, after] = [bytes[at - 1], bytes[at + 1]];
		const isSign = [0x85, 0x93, 0x94, 0x96, 0x97, 0xa0, 0xab, 0xb9, 0xbb].includes(byte);
		usual +=
			isSign || (isLetter(byte) && (isLetter(before) || isLetter(after)) && (isLowercaseLetter(byte) || !isLowercaseLetter(before)))
				? 1
				: 0;
	}
	return { all, usual };
}
