import { escapeRegExp } from './escapeRegExp.ts';

/** Minimum length in bytes of a secret to be found inside longer base64: the core of a shorter one would occur by chance. */
const shortestCore = 8;

/**
 * Returns the forms in which a secret can appear in text. Equal forms aren't removed and the order never changes, because stored values
 * refer to forms by number: plain, percent-encoded, form-encoded, JSON-escaped, base64, and JSON-escaped to ASCII with lower- and
 * upper-case digits. After them come the forms in parsed URLs, JSON within JSON and longer base64, and those of other encoders.
 */
export function listSecretForms(given: string): readonly string[] {
	// half a surrogate pair can't be percent-encoded
	const secret = given.toWellFormed();
	const json = JSON.stringify(secret).slice(1, -1);
	const ascii = json.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	const usual = [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ k: secret }).toString().slice(2),
		json,
		Buffer.from(secret).toString('base64'),
		ascii,
		ascii.replace(/\\(?:u([0-9a-f]{4})|.)/g, (each, digits?: string) => (digits === undefined ? each : `\\u${digits.toUpperCase()}`)),
	];
	const forms = [...usual, ...listUrlForms(secret), JSON.stringify(json).slice(1, -1)];
	const isShort = Buffer.byteLength(secret) < shortestCore;
	const cores = [0, 1, 2].flatMap(offset => (isShort ? [secret, secret] : encodeCores(secret, offset)));
	const others = [...forms.slice(usual.length), ...cores, ...forms.flatMap(listVariants), ...[usual[4]!, ...cores].map(toBase64Url)];
	// a parsed URL can lose so much of a secret that what is left occurs by chance
	return [...usual, ...others.map(form => (form.length < secret.length ? secret : form))];
}

/** Returns a secret as it appears in a parsed URL: as path, query and user name. Each encodes other characters. */
function listUrlForms(secret: string): readonly string[] {
	const url = new URL('http://host');
	url.pathname = `/${secret}`;
	url.search = secret;
	url.username = secret;
	return [url.pathname.slice(1), url.search.slice(1), url.username];
}

/**
 * Returns the base64 of a secret that follows other data, such as a user name, without characters that depend on that data: at the end, and
 * before more data.
 */
function encodeCores(secret: string, offset: number): readonly string[] {
	const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
	const atEnd = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6));
	return [atEnd, atEnd.slice(0, Math.floor((bytes.length * 8) / 6) - Math.ceil((offset * 8) / 6))];
}

/** Returns a form as written by other encoders: with escaped slashes, or lower-case digits. */
function listVariants(form: string): readonly string[] {
	return [form.replaceAll('/', '\\/'), form.replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase())];
}

function toBase64Url(base64: string): string {
	return base64
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replace(/(?<!=)=+$/, '');
}

/** Creates a pattern that matches any of these texts, preferring the longest. Returns undefined if there are no texts. */
export function createAlternation(texts: Iterable<string>): RegExp | undefined {
	const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length);
	return longestFirst.length > 0 ? new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g') : undefined;
}
