import type { FailedNode, RunRecord } from '#runs/runTypes.ts';

/** A node for which a run failed, and for which none after it went well. */
export interface Failure {
	readonly record: RunRecord;
	readonly node: FailedNode;
}

/** The nodes of an agent file for which runs failed, by their IDs. `records`: newest first; `file`: URI of the agent file. */
export function failedNodes(records: readonly RunRecord[], file: string): ReadonlyMap<string, Failure> {
	const known = new Set<string>();
	const failures = new Map<string, Failure>();
	for (const record of records) {
		if (record.marks?.file === file) {
			const { failed, passed } = record.marks;
			for (const node of failed.filter(({ id }) => !known.has(id))) {
				failures.set(node.id, { record, node });
			}
			for (const id of [...failed.map(({ id }) => id), ...passed]) {
				known.add(id);
			}
		}
	}
	return failures;
}
