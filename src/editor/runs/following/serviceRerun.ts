import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { FileObject, WorkflowRunDetail, WorkflowRunRequest } from '#contract/workflows.ts';
import { questionInput } from './runServices.ts';

/** What a run's detail tells beside the inputs that its caller gave: facts of the system, under names of this beginning (wire facts 1.3). */
const ofSystem = 'sys.';

/**
 * The request that begins a run once more that its service keeps, out of the run's detail: its inputs, with files as they can be sent again.
 * `asksAgain`: the question of a chatflow stays among them ({@link questionInput}). Rejects with a {@link Problem} `no-inputs` where the service does not tell what the run was given.
 */
export function rerunRequest(
	detail: Pick<WorkflowRunDetail, 'inputs'>,
	agent: string,
	user: string,
	asksAgain = false,
): WorkflowRunRequest {
	const inputs = inputsOf(detail);
	if (!inputs) {
		throw new Problem('no-inputs', vscode.l10n.t('The service does not tell what this run of {0} was given.', agent));
	}
	const given = Object.entries(inputs).filter(
		([name, value]) => !name.startsWith(ofSystem) || (asksAgain && name === questionInput && typeof value === 'string'),
	);
	const files = [inputs[`${ofSystem}files`]].flat().flatMap(file => sentFile(file) ?? []);
	return {
		model: agent,
		inputs: Object.fromEntries(given.map(([name, value]) => [name, sent(value)])),
		response_mode: 'streaming',
		user,
		...(files.length > 0 ? { files } : {}),
	};
}

/** Inputs of a run's detail, which some services send as JSON in a string (contract A2); `undefined` where there are none to be read. */
export function inputsOf({ inputs }: Pick<WorkflowRunDetail, 'inputs'>): Record<string, unknown> | undefined {
	const read = typeof inputs === 'string' ? tryParseJson(inputs) : inputs;
	return isRecord(read) ? read : undefined;
}

function sent(value: unknown): unknown {
	return Array.isArray(value) ? value.map(item => sentFile(item) ?? item) : (sentFile(value) ?? value);
}

/** A file as a request names it, of one as a detail has it; `undefined` for what is no file, or was made by the service itself. */
function sentFile(value: unknown): FileObject | undefined {
	const { type, transfer_method, url, remote_url, upload_file_id, related_id } = (
		typeof value === 'object' && value !== null ? value : {}
	) as Partial<Record<string, unknown>>;
	const [address, id] = [remote_url ?? url, upload_file_id ?? related_id];
	if (transfer_method === 'remote_url' && typeof address === 'string') {
		return { type: type as FileObject['type'], transfer_method, url: address };
	}
	return transfer_method === 'local_file' && typeof id === 'string'
		? { type: type as FileObject['type'], transfer_method, upload_file_id: id }
		: undefined;
}
