import { Refusal } from '../exchange.ts';
import { confirmed, importAnswer, imported, leakedOf } from '../importAnswer.ts';
import { limitApps } from '../openapi/openapiApps.ts';
import type { ConsoleRoute } from './consoleSurface.ts';

/** Imports. Up to 1.13 the console commits the partial changes of a failed import. */
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
			limitApps(exchange);
			const { commitsHalf } = fake.release;
			return importAnswer(fake, imported(exchange, account?.currentWorkspace ?? '', { commitsHalf }));
		},
	},
	{
		method: 'POST',
		path: '/apps/imports/{import_id}/confirm',
		needs: 'editor',
		handle: exchange => importAnswer(exchange.fake, confirmed(exchange)),
	},
	{ method: 'GET', path: '/apps/imports/{app}/check-dependencies', needs: 'editor', handle: ({ fake, app }) => leakedOf(fake, app) },
];
