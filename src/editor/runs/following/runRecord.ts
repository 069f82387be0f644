import { createHash, randomUUID } from 'node:crypto';
import { getRunParent, type PartialRun } from '#contract/partialRun.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import type { RunOrigin } from './runControl.ts';

/** Creates the record of a run that is about to start. @param kept its request without secrets */
export function createRunRecord({ id: connectionId }: Connection, kept: WorkflowRunRequest, origin: RunOrigin): RunRecord {
	return {
		key: randomUUID(),
		connectionId,
		agent: kept.model,
		user: kept.user,
		mode: kept.response_mode,
		...(origin.file ? { file: origin.file } : {}),
		...(origin.repeats ? { repeats: origin.repeats } : {}),
		...(origin.forkedAt === undefined ? {} : getParentField(kept, origin.forkedAt)),
		...(origin.draft ? { draft: true, agentFile: origin.draft.agentFile } : {}),
		...(origin.deployment ? toDeploymentFields(origin.deployment) : {}),
		...(origin.recording ? { recording: origin.recording.id } : {}),
		inputsHash: createHash('sha256').update(JSON.stringify(kept.inputs)).digest('hex').slice(0, 16),
		startedAt: Date.now(),
		status: 'starting',
	};
}

function toDeploymentFields({ draft, agentFile }: NonNullable<RunOrigin['deployment']>): Pick<RunRecord, 'deploymentDraft' | 'agentFile'> {
	return { deploymentDraft: draft, ...(agentFile === undefined ? {} : { agentFile }) };
}

/** Maximum length of a changed value as JSON in the record. The request has it in full. */
const longestValue = 200;

function getParentField({ part, inputs }: WorkflowRunRequest, title: string): Pick<RunRecord, 'parent'> {
	const parent = part === undefined ? undefined : getRunParent(part as PartialRun, inputs);
	const changes = parent?.changes.map(({ selector, value }) => {
		const text = JSON.stringify(value) ?? '';
		return { selector, value: text.length > longestValue ? `${text.slice(0, longestValue).toWellFormed()}…` : value };
	});
	return parent && changes ? { parent: { ...parent, title, changes } } : {};
}
