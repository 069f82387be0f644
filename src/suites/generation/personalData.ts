/** A kind of personal data. */
interface Kind {
	readonly name: string;
	readonly pattern: RegExp;
	/** Text that must precede the pattern and is part of the value. It would take long to start at each character of a long word. */
	readonly before?: RegExp;
	readonly isReal?: (text: string) => boolean;
}

/** Maximum length of a text that precedes a pattern. */
const longestBefore = 64;

/** Kinds of personal data, in the order in which they are looked for. Longer and stricter ones come first. */
const kinds: readonly Kind[] = [
	{ name: 'EMAIL', pattern: /@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,8}/gu, before: /[\p{L}\d._%+-]{1,64}$/u },
	// keys of well-known services, and tokens with three parts
	{ name: 'KEY', pattern: /\b(?:sk|pk|rk|ghp|gho|ghs|xox[abps]|AKIA|AIza|glpat)[-_]?[A-Za-z0-9_-]{12,200}/g },
	{ name: 'KEY', pattern: /(?<![\w.-])eyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{10,1000}/g },
	{ name: 'IBAN', pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, isReal: isIban },
	{ name: 'CARD', pattern: /\b\d(?:[ -]?\d){12,18}\b/g, isReal: isCardNumber },
	{ name: 'IP', pattern: /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g, isReal: isIpAddress },
	{
		name: 'IP',
		pattern: /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])/gi,
		isReal: text => (text.match(/:/g) ?? []).length >= 3,
	},
	{ name: 'PHONE', pattern: /(?<![\w.+-])(?<!\d )(?:\+|00)\d(?:[ ()/.-]{0,2}\d){6,14}(?![\w-])/g },
	{ name: 'PHONE', pattern: /(?<![\w.+-])(?<!\d )\(?0\d{1,5}\)?[ /-]\d(?:[ /-]?\d){4,9}(?![\w-])/g },
];

/**
 * Replaces personal data in texts by tokens such as `<EMAIL_1>`: email addresses, phone numbers, IBANs, card numbers, IP addresses and keys.
 * The same value has the same token in all texts of one masker.
 */
export class PersonalDataMasker {
	readonly #tokens = new Map<string, string>();
	readonly #counts = new Map<string, number>();

	/** Number of different values that were replaced. */
	get count(): number {
		return this.#tokens.size;
	}

	/** Masks all texts of a JSON value, but not the names of its fields. */
	maskValue(value: unknown): unknown {
		if (typeof value === 'string') {
			return this.#maskText(value);
		}
		if (Array.isArray(value)) {
			return value.map(item => this.maskValue(item));
		}
		return typeof value === 'object' && value !== null
			? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.maskValue(part)]))
			: value;
	}

	#maskText(text: string): string {
		return kinds.reduce(
			(masked, kind) =>
				kind.before
					? this.#maskWithTextBefore(masked, kind, kind.before)
					: masked.replace(kind.pattern, found => (kind.isReal?.(found) === false ? found : this.#getToken(kind.name, found))),
			text,
		);
	}

	#maskWithTextBefore(text: string, { name, pattern }: Kind, before: RegExp): string {
		const parts: string[] = [];
		let end = 0;
		for (const { 0: found, index } of text.matchAll(pattern)) {
			const start = before.exec(text.slice(Math.max(end, index - longestBefore), index))?.[0];
			if (start !== undefined) {
				parts.push(text.slice(end, index - start.length), this.#getToken(name, `${start}${found}`));
				end = index + found.length;
			}
		}
		return `${parts.join('')}${text.slice(end)}`;
	}

	#getToken(name: string, found: string): string {
		const key = `${name} ${found.replace(/[\s()/.-]/g, '').toLowerCase()}`;
		const known = this.#tokens.get(key);
		if (known !== undefined) {
			return known;
		}
		const number = (this.#counts.get(name) ?? 0) + 1;
		this.#counts.set(name, number);
		const token = `<${name}_${number}>`;
		this.#tokens.set(key, token);
		return token;
	}
}

/** Checks the last digit of a card number (Luhn). */
function isCardNumber(text: string): boolean {
	const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
	const sum = digits.reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
	return sum % 10 === 0 && digits.some(digit => digit !== 0);
}

/** Checks the check digits of an IBAN (ISO 7064, mod 97). */
function isIban(text: string): boolean {
	const plain = text.replaceAll(' ', '');
	const digits = [...`${plain.slice(4)}${plain.slice(0, 4)}`].map(letter => Number.parseInt(letter, 36)).join('');
	return plain.length >= 15 && BigInt(digits) % 97n === 1n;
}

function isIpAddress(text: string): boolean {
	return text.split('.').every(part => Number(part) <= 255);
}
