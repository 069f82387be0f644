import type { CallOptions } from '../../caller.ts';
import type { AppImport } from '../management.ts';
import type { Surface } from '../offers.ts';
import { readDependencies } from '../readers/appReaders.ts';
import { readExportedFile } from '../readers/exportReaders.ts';
import { readList, toOptionalText } from '../readers/fields.ts';
import { importAnswers, readImportOutcome } from '../readers/importReaders.ts';
import { isKnownRefusal } from '../requests/managementFaults.ts';
import { resolveRequest } from '../requests/managementRequest.ts';
import type { OpenapiCall, OpenapiCalls } from './openapiCalls.ts';

/** Creates the operations that import, export and check apps as files. */
export function createOpenapiFiles(calls: OpenapiCalls): Surface {
	return {
		async exportApp(appId, { versionId } = {}, options) {
			const request = await calls.prepareRequest('exportApp', { path: { app_id: appId }, query: { workflow_id: versionId } }, options);
			const { text, draftHash } = readExportedFile(
				calls.requests,
				await calls.requests.requestReply(request, options),
				resolveRequest(request),
			);
			// the hash is always the draft's, even if a version is exported
			return { text, draftHash: versionId === undefined ? draftHash : undefined };
		},
		async importApp({ text, appId, draftHash, name }, options) {
			const workspace_id = await calls.getWorkspace(options);
			const body = {
				mode: 'yaml-content',
				yaml_content: text,
				...(appId !== undefined && { app_id: appId }),
				...(name !== undefined && { name }),
				...(calls.hasCatalog && appId !== undefined && draftHash !== undefined && { draft_hash: draftHash }),
			};
			return requestImport(calls, 'importApp', { path: { workspace_id }, body }, options);
		},
		async confirmImport(importId, options) {
			const workspace_id = await calls.getWorkspace(options);
			return requestImport(calls, 'confirmImport', { path: { workspace_id, import_id: importId }, body: {} }, options);
		},
		dependencies: (appId, options) => calls.requestJson('dependencies', { path: { app_id: appId } }, options, readDependencies),
		async checkText(text, appId, options) {
			const workspace_id = await calls.getWorkspace(options);
			const body = { yaml_content: text, ...(appId !== undefined && { app_id: appId }) };
			return calls.requestJson('checkText', { path: { workspace_id }, body }, options, ({ issues }) =>
				readList(issues).map(({ node_id, message }) => ({
					...(typeof node_id === 'string' && { nodeId: node_id }),
					message: toOptionalText(message) ?? '',
				})),
			);
		},
	};
}

async function requestImport(
	calls: OpenapiCalls,
	name: 'importApp' | 'confirmImport',
	call: OpenapiCall,
	options: CallOptions | undefined,
): Promise<AppImport> {
	const request = await calls.prepareRequest(name, { ...call, answers: importAnswers }, options);
	const reply = await calls.requests.requestReply(request, options);
	const outcome = readImportOutcome(reply);
	if (outcome === undefined || (outcome.status === 'failed' && isKnownRefusal(reply))) {
		throw calls.requests.createFault(reply, resolveRequest(request));
	}
	return outcome;
}
