import type { CallOptions } from '../../caller.ts';
import type { AppImport } from '../management.ts';
import type { Surface } from '../offers.ts';
import { readDependencies } from '../readers/appReaders.ts';
import { readExportedFile } from '../readers/exportReaders.ts';
import { toOptionalText } from '../readers/fields.ts';
import { importAnswers, readImportOutcome } from '../readers/importReaders.ts';
import { createDraftChangedError, isKnownRefusal } from '../requests/managementFaults.ts';
import type { ConsoleCall, ConsoleCalls } from './consoleCalls.ts';

/** Creates the operations that import and export apps as files. */
export function createConsoleFiles(calls: ConsoleCalls): Surface {
	const fetchDraftHash = (appId: string, options: CallOptions | undefined) =>
		calls.requestJsonIfAny(
			'exportApp',
			{ method: 'GET', path: '/apps/{app_id}/workflows/draft', values: { app_id: appId } },
			options,
			({ hash }) => toOptionalText(hash),
		);
	return {
		async exportApp(appId, { versionId } = {}, options) {
			// read the hash first: if the draft changes in between, the hash is of the older one and the change is detected later
			const hash = versionId === undefined ? await fetchDraftHash(appId, options) : undefined;
			// from 1.18 on the console sends an app package unless asked for YAML; earlier releases ignore the field
			const query = { include_secret: false, format: 'yaml', workflow_id: versionId };
			const request = calls.buildRequest('exportApp', { method: 'GET', path: '/apps/{app_id}/export', values: { app_id: appId }, query });
			const { text } = readExportedFile(calls.requests, await calls.requests.requestReply(request, options), request);
			return { text, draftHash: hash };
		},
		async importApp({ text, appId, draftHash: base, name }, options) {
			// the console's import accepts no hash, so a change between this check and the import goes unnoticed
			if (appId !== undefined && base !== undefined && (await fetchDraftHash(appId, options)) !== base) {
				throw createDraftChangedError(undefined);
			}
			const body = {
				mode: 'yaml-content',
				yaml_content: text,
				...(appId !== undefined && { app_id: appId }),
				...(name !== undefined && { name }),
			};
			return requestImport(calls, { method: 'POST', path: '/apps/imports', body }, 'importApp', options);
		},
		confirmImport: (importId, options) =>
			requestImport(
				calls,
				{ method: 'POST', path: '/apps/imports/{import_id}/confirm', values: { import_id: importId }, body: {} },
				'confirmImport',
				options,
			),
		dependencies: (appId, options) =>
			calls.requestJson(
				'dependencies',
				{ method: 'GET', path: '/apps/imports/{app_id}/check-dependencies', values: { app_id: appId } },
				options,
				readDependencies,
			),
	};
}

async function requestImport(
	calls: ConsoleCalls,
	call: ConsoleCall,
	purpose: 'importApp' | 'confirmImport',
	options: CallOptions | undefined,
): Promise<AppImport> {
	const request = calls.buildRequest(purpose, { ...call, answers: importAnswers });
	const reply = await calls.requests.requestReply(request, options);
	const outcome = readImportOutcome(reply);
	if (outcome === undefined || (outcome.status === 'failed' && isKnownRefusal(reply))) {
		throw calls.requests.createFault(reply, request);
	}
	return outcome;
}
