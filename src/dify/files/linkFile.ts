import { fieldsOf, isRecord } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import { plainWords } from '#base/text/plainWords.ts';
import type { DifyLink } from '../linkTypes.ts';
import { SyncFault } from '../syncFault.ts';

/** UTF-16 code units of a sidecar file; ours has some hundred. */
const maxLength = 64 * 1024;

/** A sidecar file as it was read. */
export interface LinkFile {
	readonly link: DifyLink;
	/** All that the file holds: fields that are not ours stay when it is written again. */
	readonly content: Readonly<Record<string, unknown>>;
}

/** Usual path of the sidecar file of an agent file: `NAME.dify.json` next to `NAME.yml`. Takes any path or URI; its separators stay. */
export function linkPathOf(agentFile: string): string {
	return `${agentFile.replace(/\.ya?ml$/i, '')}.dify.json`;
}

/**
 * Path of the sidecar file of an agent file. `NAME.yaml` has the usual one too, unless there is a `NAME.yml`, which that belongs to: then, and as long as
 * it has one, `NAME.yaml.dify.json`.
 * @param exists whether there is a file at a path
 */
export async function findLinkPath(agentFile: string, exists: (path: string) => Promise<boolean>): Promise<string> {
	const own = `${agentFile}.dify.json`;
	const isOwn = /\.yaml$/i.test(agentFile) && ((await exists(own)) || (await exists(agentFile.replace(/\.yaml$/i, '.yml'))));
	return isOwn ? own : linkPathOf(agentFile);
}

/** Paths of the sidecar files that an agent file can have. */
export function linkPathsOf(agentFile: string): readonly string[] {
	return /\.yaml$/i.test(agentFile) ? [linkPathOf(agentFile), `${agentFile}.dify.json`] : [linkPathOf(agentFile)];
}

/** Paths of the agent files that a sidecar file can be of, the likeliest first; empty for another file. */
export function agentPathsOf(sidecar: string): readonly string[] {
	const name = sidecar.replace(/\.dify\.json$/i, '');
	return name === sidecar ? [] : /\.yaml$/i.test(name) ? [name] : [`${name}.yml`, `${name}.yaml`];
}

/**
 * Reads the text of a sidecar file: content of a workspace, and so of anybody.
 * @param file as sentences name it
 * @throws {SyncFault} in one sentence that names file, field and what was expected
 */
export function readLink(text: string, file: string, t: Translate = plainWords): LinkFile {
	const content = contentOf(text, file, t);
	const base = content.base;
	const refuse = (field: string, expected: string): never => {
		throw new SyncFault('unreadable', t("{0}: '{1}' is missing or invalid. Expected {2}.", file, field, expected));
	};
	const checked = (holder: unknown, field: string, form: RegExp, expected: string): string => {
		const value = fieldsOf(holder)[field.replace('base.', '')];
		return typeof value === 'string' && form.test(value) ? value : refuse(field, expected);
	};
	const hash = [/^[\da-f]{64}$/, t('64 hexadecimal digits')] as const;
	const name = [/^[^\p{Cc}]{1,500}$/u, t('a string without line breaks')] as const;
	const optional = (field: 'draft_hash' | 'layout_hash' | 'version_id', [form, expected]: readonly [RegExp, string]) => {
		const value = fieldsOf(base)[field];
		return value === undefined || value === null ? {} : { [field]: checked(base, `base.${field}`, form, expected) };
	};
	const id = t('an ID of letters, digits and hyphens');
	const origin = checked(content, 'origin', /^https?:/, t("a URL such as 'https://cloud.dify.ai'"));
	if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
		refuse('origin', t("only a scheme, host and port, such as 'https://cloud.dify.ai'"));
	}
	return {
		content,
		link: {
			origin,
			workspace_id: checked(content, 'workspace_id', /^[\w-]{1,100}$/, id),
			app_id: checked(content, 'app_id', /^[\w-]{1,100}$/, id),
			mode: checked(content, 'mode', /^[\w-]{1,100}$/, t("a mode such as 'workflow'")),
			base: {
				...optional('draft_hash', name),
				content_hash: checked(base, 'base.content_hash', ...hash),
				...optional('layout_hash', hash),
				...optional('version_id', name),
				dsl_version: checked(base, 'base.dsl_version', /^[\w.+-]{1,100}$/, t("a version such as '0.6.0'")),
			},
		},
	};
}

/** The text of a sidecar file: the same for the same link, fields in one order, those of `before` that are not ours behind them. */
export function writeLink({ origin, workspace_id, app_id, mode, base }: DifyLink, before?: LinkFile): string {
	const { origin: _o, workspace_id: _w, app_id: _a, mode: _m, base: oldBase, ...others } = before?.content ?? {};
	const { draft_hash, content_hash, layout_hash, version_id, dsl_version } = base;
	const { draft_hash: _d, content_hash: _c, layout_hash: _l, version_id: _v, dsl_version: _s, ...otherBase } = fieldsOf(oldBase);
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

function contentOf(text: string, file: string, t: Translate): Readonly<Record<string, unknown>> {
	if (text.length > maxLength) {
		throw new SyncFault('unreadable', t('{0} is too large for a Dify link file.', file));
	}
	try {
		const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
		if (isRecord(content)) {
			return fieldsOf(content);
		}
	} catch {
		// told below
	}
	throw new SyncFault(
		'unreadable',
		t("{0} isn't a JSON object. Expected 'origin', 'workspace_id', 'app_id', 'mode' and 'base'. Pull the app again to recreate it.", file),
	);
}
