import { maskKeys } from '#base/text/likelyKeys.ts';
import { formatCodeBlock } from '../platform/wording.ts';

/** A setting whose value differs from its default. */
export interface ChangedSetting {
	readonly name: string;
	/** Absent if the value may contain addresses, names or secrets. */
	readonly value?: boolean | number | string;
}

/** Contents of an issue report. */
interface IssueFacts {
	/** Names and versions, in the order in which they are listed. */
	readonly versions: Readonly<Record<string, string>>;
	readonly settings: readonly ChangedSetting[];
	/** The end of the log. */
	readonly log: string;
	/** Keys and tokens that must not be in the report. */
	readonly secrets: readonly string[];
	/** Replaced by `~`, because it contains the user's name. */
	readonly homeFolder: string;
}

/** JSON Schema of a setting, as in the manifest. */
interface SettingSchema {
	readonly type?: unknown;
	readonly enum?: readonly unknown[];
}

/** Returns a setting for a report: with its value only if it's a switch, a number or one of several fixed words. */
export function describeSetting(name: string, { type, enum: words }: SettingSchema, value: unknown): ChangedSetting {
	const isHarmless = typeof value === 'boolean' || (typeof value === 'number' && type !== 'string') || words?.includes(value);
	return isHarmless ? { name, value: value as boolean | number | string } : { name };
}

/**
 * Returns the text of an issue report in English, because its readers may not know the user's language. Secrets are masked: those that are
 * stored, and everything that looks like one.
 */
export function formatIssueReport({ versions, settings, log, secrets, homeFolder }: IssueFacts): string {
	const text = [
		'<!-- Check this text before you send it. Keys and tokens are masked, but the log can contain names and addresses. -->',
		'## What happened\n\n',
		'## Steps to reproduce\n\n1. ',
		'## Versions\n',
		...Object.entries(versions).map(([name, version]) => `- ${name}: ${version}`),
		'\n## Changed settings\n',
		...(settings.length === 0 ? ['None.'] : settings.map(({ name, value }) => `- \`${name}\`: ${value ?? '(set, value not shown)'}`)),
		'\n## Log\n',
		formatCodeBlock(log.trimEnd(), 'text').trimStart(),
	].join('\n');
	return maskKeys(
		listHomeForms(homeFolder).reduce((masked, form) => masked.replaceAll(form, '~'), text),
		secrets,
	);
}

/** Returns the forms of the home folder without its drive, which is also written as `c:` and `c%3A`: as a path, in JSON and in a URI. */
function listHomeForms(homeFolder: string): readonly string[] {
	const home = homeFolder.replace(/^[a-z]:/i, '');
	const slashes = home.replaceAll('\\', '/');
	return home.length > 1 ? [home, home.replaceAll('\\', '\\\\'), slashes, encodeURI(slashes)] : [];
}
