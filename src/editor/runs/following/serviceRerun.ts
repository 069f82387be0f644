import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { FileObject, WorkflowRunDetail, WorkflowRunRequest } from '#contract/workflows.ts';
import { questionInput } from './runServices.ts';

/** Prefix of the system variables that the details of a run list among the inputs (wire facts 1.3). */
const ofSystem = 'sys.';

/**
 * Creates the request that repeats a service's run, from the run's details. Includes its inputs, with files that can be sent again. With
 * `asksAgain`, also includes the question to a chatflow ({@link questionInput}). Throws a {@link Problem} `no-inputs` if the service
 * doesn't report the inputs.
 */
export function createRerunRequest(
	detail: Pick<WorkflowRunDetail, 'inputs'>,
	agent: string,
	user: string,
	asksAgain = false,
): WorkflowRunRequest {
	const inputs = parseInputs(detail);
	if (!inputs) {
		throw new Problem('no-inputs', vscode.l10n.t("The service doesn't report the inputs of this run of '{0}'.", agent));
	}
	const given = Object.entries(inputs).filter(
		([name, value]) => !name.startsWith(ofSystem) || (asksAgain && name === questionInput && typeof value === 'string'),
	);
	const files = [inputs[`${ofSystem}files`]].flat().flatMap(file => toSentFile(file) ?? []);
	return {
		model: agent,
		inputs: Object.fromEntries(given.map(([name, value]) => [name, toSentValue(value)])),
		response_mode: 'streaming',
		user,
		...(files.length > 0 ? { files } : {}),
	};
}

/**
 * Parses the inputs in the details of a run, which some services send as JSON in a string (contract A2). Returns `undefined` if they can't
 * be parsed.
 */
export function parseInputs({ inputs }: Pick<WorkflowRunDetail, 'inputs'>): Record<string, unknown> | undefined {
	const read = typeof inputs === 'string' ? tryParseJson(inputs) : inputs;
	return isRecord(read) ? read : undefined;
}

function toSentValue(value: unknown): unknown {
	return Array.isArray(value) ? value.map(item => toSentFile(item) ?? item) : (toSentFile(value) ?? value);
}

/**
 * Converts a file in the details of a run to one for a request. Returns `undefined` for other values, and for files that the service made.
 */
function toSentFile(value: unknown): FileObject | undefined {
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
