import type { FailedNode, RunRecord } from '#runs/runTypes.ts';

/** A node that failed in a run and hasn't passed since. */
export interface Failure {
	readonly record: RunRecord;
	readonly node: FailedNode;
}

/** Returns the failed nodes of an agent file by node ID. `records` are sorted newest first; `file` is the URI of the agent file. */
export function findFailedNodes(records: readonly RunRecord[], file: string): ReadonlyMap<string, Failure> {
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
