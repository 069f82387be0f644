import { Refusal } from '../exchange.ts';
import { confirmImport, createImportAnswer, getMissingPlugins, importRequestFile } from '../importAnswer.ts';
import { checkAppLimit } from '../openapi/openapiApps.ts';
import type { ConsoleRoute } from './consoleSurface.ts';

/** Routes of imports. Up to 1.13, the console commits the partial changes of a failed import. */
export const consoleImports: readonly ConsoleRoute[] = [
	{
		method: 'POST',
		path: '/apps/imports',
		needs: 'editor',
		handle: exchange => {
			const { fake, body, account } = exchange;
			if (body['mode'] !== 'yaml-content' && body['mode'] !== 'yaml-url') {
				throw new Refusal(400, 'invalid_param', 'mode: Field required');
			}
			checkAppLimit(exchange);
			const { commitsHalf } = fake.release;
			return createImportAnswer(fake, importRequestFile(exchange, account?.currentWorkspace ?? '', { commitsHalf }));
		},
	},
	{
		method: 'POST',
		path: '/apps/imports/{import_id}/confirm',
		needs: 'editor',
		handle: exchange => createImportAnswer(exchange.fake, confirmImport(exchange)),
	},
	{
		method: 'GET',
		path: '/apps/imports/{app}/check-dependencies',
		needs: 'editor',
		handle: ({ fake, app }) => getMissingPlugins(fake, app),
	},
];
