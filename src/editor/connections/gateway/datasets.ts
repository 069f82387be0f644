import { isRecord, toFields } from '#base/records/plainValues.ts';
import { resolveFolderInside } from './insideFolder.ts';

/** Values of the setting `gateway.knowledge`, by settings level. */
interface KnowledgeValues {
	/** Value in the user settings. */
	readonly user: unknown;
	/** Values in a trusted workspace, each with its workspace folder. */
	readonly workspace: readonly { readonly folder: string; readonly value: unknown }[];
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * Returns the datasets for the gateway's configuration, with absolute folder paths. Their content is sent to models, so a workspace can
 * only use folders inside the workspace, and can't override the user's datasets. Drops other workspace values. The gateway validates the
 * user's values.
 * @param withKey records the key of a deployment, and replaces its name with the one that the gateway uses
 */
export function buildDatasetConfig({ user, workspace }: KnowledgeValues, withKey: (dify: Entry) => Entry): Entry {
	const own = listEntries(user).map(([id, entry]) => [
		id,
		isRecord(entry) && isRecord(entry['dify']) ? { ...entry, dify: withKey(entry['dify']) } : entry,
	]);
	const others = workspace.flatMap(({ folder: root, value }) =>
		listEntries(value).flatMap(([id, entry]) => {
			const { folder, name, embeddings } = toFields(entry);
			const inside = resolveFolderInside(folder, root);
			return inside !== undefined
				? [[id, { folder: inside, ...(isNonEmptyString(name) && { name }), ...(isNonEmptyString(embeddings) && { embeddings }) }]]
				: [];
		}),
	);
	return Object.fromEntries([...others, ...own]) as Entry;
}

function isNonEmptyString(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function listEntries(value: unknown): [string, unknown][] {
	return isRecord(value) ? Object.entries(value) : [];
}
