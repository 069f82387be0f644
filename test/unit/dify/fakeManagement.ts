import type { DifyManagement, ImportRequest } from '#client/dify/management.ts';
import { exportAppFile } from '../../support/services/dify/appExport.ts';
import { importAppFile } from '../../support/services/dify/appImport.ts';
import type { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';

/** Calls the fake deployment without a network, so that plans for hundreds of files take only a second. */
export function createFakeManagement(fake: DifyDeployment): DifyManagement {
	return {
		deployment: { origin: 'https://dify.test', generation: 'openapi-1.16', version: '1.16.0', edition: 'SELF_HOSTED', signIns: [] },
		offers: new Set(['exportApp', 'importApp']),
		workspaceId: fake.workspace.id,
		exportApp: async (id: string) => {
			const app = fake.apps.find(each => each.id === id);
			if (!app) {
				throw new Error(`no app ${id}`);
			}
			return { text: exportAppFile(fake, app, app.draft, false), draftHash: undefined };
		},
		importApp: async ({ text, appId, name }: ImportRequest) => {
			const done = importAppFile(fake, { workspaceId: fake.workspace.id, text, appId, name });
			return {
				id: done.id,
				status: done.status,
				appId: done.appId ?? undefined,
				mode: done.mode ?? undefined,
				currentVersion: fake.release.dsl,
				importedVersion: done.imported,
				error: done.error || undefined,
				details: [],
				warnings: [],
			};
		},
	} as unknown as DifyManagement;
}
