import { isRecord, toFields } from '#base/records/plainValues.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import type { DifyLink } from '../linkTypes.ts';
import { SyncFault } from '../syncFault.ts';

/** Size limit of a sidecar file, in UTF-16 code units; ours have a few hundred. */
const maxLength = 64 * 1024;

/** A parsed sidecar file. */
export interface LinkFile {
	readonly link: DifyLink;
	/** The whole content, so that unknown fields survive a rewrite. */
	readonly content: Readonly<Record<string, unknown>>;
}

/** Returns the default path of a sidecar file: `NAME.dify.json` for `NAME.yml`. Accepts any path or URI and keeps its separators. */
export function getLinkPath(agentFile: string): string {
	return `${agentFile.replace(/\.ya?ml$/i, '')}.dify.json`;
}

/**
 * Returns the path of the sidecar file of an agent file. For `NAME.yaml`, this is the default path too, or `NAME.yaml.dify.json` if that
 * file exists or the default belongs to an existing `NAME.yml`.
 * @param exists resolves to true if a file exists
 */
export async function findLinkPath(agentFile: string, exists: (path: string) => Promise<boolean>): Promise<string> {
	const own = `${agentFile}.dify.json`;
	const isOwn = /\.yaml$/i.test(agentFile) && ((await exists(own)) || (await exists(agentFile.replace(/\.yaml$/i, '.yml'))));
	return isOwn ? own : getLinkPath(agentFile);
}

/** Returns the possible sidecar paths of an agent file. */
export function getLinkPaths(agentFile: string): readonly string[] {
	return /\.yaml$/i.test(agentFile) ? [getLinkPath(agentFile), `${agentFile}.dify.json`] : [getLinkPath(agentFile)];
}

/** Returns the possible agent files of a sidecar file, most likely first; empty if it isn't a sidecar. */
export function getAgentPaths(sidecar: string): readonly string[] {
	const name = sidecar.replace(/\.dify\.json$/i, '');
	return name === sidecar ? [] : /\.yaml$/i.test(name) ? [name] : [`${name}.yml`, `${name}.yaml`];
}

/**
 * Parses a sidecar file. Its content comes from the workspace and isn't trusted.
 * @param file name for messages
 * @throws {SyncFault} with a message that names the file, the field and the expected value
 */
export function readLink(text: string, file: string, t: Translate = fillPlaceholders): LinkFile {
	const content = parseContent(text, file, t);
	const base = content.base;
	const throwLinkFault = (field: string, expected: string): never => {
		throw new SyncFault('unreadable', t("'{1}' in '{0}' is missing or invalid. Expected {2}.", file, field, expected));
	};
	const checkField = (holder: unknown, field: string, form: RegExp, expected: string): string => {
		const value = toFields(holder)[field.replace('base.', '')];
		return typeof value === 'string' && form.test(value) ? value : throwLinkFault(field, expected);
	};
	const hash = [/^[\da-f]{64}$/, t('64 hexadecimal digits')] as const;
	const name = [/^[^\p{Cc}]{1,500}$/u, t('a string without line breaks')] as const;
	const readOptional = (field: 'draft_hash' | 'layout_hash' | 'version_id', [form, expected]: readonly [RegExp, string]) => {
		const value = toFields(base)[field];
		return value === undefined || value === null ? {} : { [field]: checkField(base, `base.${field}`, form, expected) };
	};
	const id = t('an ID of letters, digits and hyphens');
	const origin = checkField(content, 'origin', /^https?:/, t("a URL such as 'https://cloud.dify.ai'"));
	if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
		throwLinkFault('origin', t("only a scheme, host and port, such as 'https://cloud.dify.ai'"));
	}
	return {
		content,
		link: {
			origin,
			workspace_id: checkField(content, 'workspace_id', /^[\w-]{1,100}$/, id),
			app_id: checkField(content, 'app_id', /^[\w-]{1,100}$/, id),
			mode: checkField(content, 'mode', /^[\w-]{1,100}$/, t("a mode such as 'workflow'")),
			base: {
				...readOptional('draft_hash', name),
				content_hash: checkField(base, 'base.content_hash', ...hash),
				...readOptional('layout_hash', hash),
				...readOptional('version_id', name),
				dsl_version: checkField(base, 'base.dsl_version', /^[\w.+-]{1,100}$/, t("a version such as '0.6.0'")),
			},
		},
	};
}

/** Serializes a sidecar file deterministically. Unknown fields of `before` are kept at the end. */
export function serializeLink({ origin, workspace_id, app_id, mode, base }: DifyLink, before?: LinkFile): string {
	const { origin: _o, workspace_id: _w, app_id: _a, mode: _m, base: oldBase, ...others } = before?.content ?? {};
	const { draft_hash, content_hash, layout_hash, version_id, dsl_version } = base;
	const { draft_hash: _d, content_hash: _c, layout_hash: _l, version_id: _v, dsl_version: _s, ...otherBase } = toFields(oldBase);
	const content = {
		origin,
		workspace_id,
		app_id,
		mode,
		base: { draft_hash, content_hash, layout_hash, version_id, dsl_version, ...otherBase },
		...others,
	};
	return `${JSON.stringify(content, undefined, 2)}\n`;
}

function parseContent(text: string, file: string, t: Translate): Readonly<Record<string, unknown>> {
	if (text.length > maxLength) {
		throw new SyncFault('unreadable', t("'{0}' is too large to be a Dify link file.", file));
	}
	try {
		const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
		if (isRecord(content)) {
			return toFields(content);
		}
	} catch {
		// reported below
	}
	throw new SyncFault(
		'unreadable',
		t(
			"'{0}' isn't a JSON object. Expected 'origin', 'workspace_id', 'app_id', 'mode' and 'base'. Pull the app again to recreate it.",
			file,
		),
	);
}
