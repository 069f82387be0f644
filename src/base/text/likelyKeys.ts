import { createAlternation, listSecretForms } from './secretForms.ts';

const mask = '***';
/** Shorter secrets aren't masked, because they would hide ordinary words. */
const shortestSecret = 4;

/** Text that looks like a key or a token, even if nothing is known about it. The first group stays. */
const patterns: readonly RegExp[] = [
	// keys of known services, and our own
	/()\b(?:sk|pk|rk|app|awb|dataset|gh[opsu]|github_pat|xox[abprs])[-_][\w-]{8,}/g,
	/()\bAIza[\w-]{20,}/g,
	// JSON Web Tokens
	/()\beyJ[\w.-]{16,}/g,
	/\b((?:Bearer|Basic) )[\w.~+/=-]{6,}/gi,
	// user and password in a URL
	/(:\/\/)[^\s/@]{1,200}@/g,
	// long random strings; IDs of runs have hyphens and are shorter
	/()\b\w{40,}\b/g,
];
/** A name that suggests a secret, with its value. Counts, such as `tokens=12`, aren't secret. */
const namedValue =
	/((?:auth|key|token|secret|cookie|passw|credential|signature)[\w-]{0,30}["']?\s{0,2}[:=]\s{0,2})("[^"\n]*"|'[^'\n]*'|(?!\d{1,7}\b|Bearer |Basic )[^\s&,;"']+)/gi;

/**
 * Masks secrets in a text that the user may show to others: the known ones in all their forms, and everything that looks like a key, a token
 * or a password.
 */
export function maskKeys(text: string, known: readonly string[]): string {
	const forms = createAlternation(known.filter(secret => secret.length >= shortestSecret).flatMap(listSecretForms));
	const withoutKnown = forms ? text.replace(forms, mask) : text;
	return patterns.reduce((masked, pattern) => masked.replace(pattern, `$1${mask}`), withoutKnown).replace(namedValue, `$1${mask}`);
}

/**
 * Text that is almost certainly a key: of a known service, a JSON Web Token, a private key, or credentials in a URL. The patterns are bounded,
 * because others exceed the stack at a word of ten million letters.
 */
const certainPatterns: readonly RegExp[] = [
	/\b(?:sk|pk|rk)[-_][\w-]{18,200}/,
	/\b(?:app|awb|dataset)-[A-Za-z0-9]{20,200}/,
	/\b(?:gh[opsu]_|github_pat_|glpat-|xox[abprs]-|npm_)[\w-]{16,200}/,
	/\bAIza[\w-]{30,200}/,
	/\bAKIA[A-Z0-9]{16}\b/,
	/\.eyJ[\w-]{16,200}/,
	/-----BEGIN [A-Z ]*PRIVATE KEY-----/,
	/\b(?:Bearer|Basic) [\w~+/.-]{16,1000}={0,2}/,
	/:\/\/[^\s/@:]{1,100}:[^\s/@]{3,100}@/,
];
/**
 * Long words of letters and digits, and their fewest bits per character to be random. Hashes in hexadecimal digits have less. Longer words are
 * data, such as an image in base64.
 */
const longWord = /(?<![A-Za-z0-9_+/-])[A-Za-z0-9_+/-]{32,512}={0,2}(?![A-Za-z0-9_+/-])/g;
const randomBits = 4.3;
/** Name of an ID or hash before its value. */
const namedId = /(?:id|hash)"?[:=] ?["']?$/i;

/** Finds what looks like a key in a text: a certain pattern, or a long random word. Returns the first one. */
export function findLikelyKey(text: string): string | undefined {
	const certain = certainPatterns.map(pattern => pattern.exec(text)?.[0]).find(found => found !== undefined);
	if (certain !== undefined) {
		return certain;
	}
	for (const { 0: word, index } of text.matchAll(longWord)) {
		if (
			/[a-z]/.test(word) &&
			/[A-Z]/.test(word) &&
			/\d/.test(word) &&
			word.split(/[/_-]/).length < 4 &&
			measureEntropy(word) > randomBits &&
			!namedId.test(text.slice(Math.max(0, index - 40), index))
		) {
			return word;
		}
	}
	return undefined;
}

/** Returns the bits per character of a text, by the frequency of its characters. */
function measureEntropy(text: string): number {
	const counts = new Map<string, number>();
	for (const character of text) {
		counts.set(character, (counts.get(character) ?? 0) + 1);
	}
	return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}
