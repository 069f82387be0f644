import { fieldsOf, isRecord } from '#base/records/plainValues.ts';
import { insideFolder } from './insideFolder.ts';

/** What the setting `gateway.knowledge` holds, by whom it was written. */
interface KnowledgeValues {
	/** The user's own, for all workspaces. */
	readonly user: unknown;
	/** Those of a workspace that is trusted, each with the folder that it is for. */
	readonly workspace: readonly { readonly folder: string; readonly value: unknown }[];
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * Datasets for the gateway's configuration, folders as absolute paths. What is in them goes to models, so that a workspace may name folders inside of itself
 * and nothing else, and the user's own datasets keep their names. What a workspace says otherwise is left out; the user's is the gateway's to check.
 * @param withKey notes the key of a deployment, and gives it the name that the gateway knows it by
 */
export function configuredDatasets({ user, workspace }: KnowledgeValues, withKey: (dify: Entry) => Entry): Entry {
	const own = entries(user).map(([id, entry]) => [
		id,
		isRecord(entry) && isRecord(entry['dify']) ? { ...entry, dify: withKey(entry['dify']) } : entry,
	]);
	const others = workspace.flatMap(({ folder: root, value }) =>
		entries(value).flatMap(([id, entry]) => {
			const { folder, name, embeddings } = fieldsOf(entry);
			const inside = insideFolder(folder, root);
			return inside !== undefined
				? [[id, { folder: inside, ...(isText(name) && { name }), ...(isText(embeddings) && { embeddings }) }]]
				: [];
		}),
	);
	return Object.fromEntries([...others, ...own]) as Entry;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function entries(value: unknown): [string, unknown][] {
	return isRecord(value) ? Object.entries(value) : [];
}
