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
