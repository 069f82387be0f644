import type { DifyDeployment } from '../difyDeployment.ts';
import { type Exchange, getBodyFields, getBodyText, Refusal, type Surface } from '../exchange.ts';
import type { FakeApp } from '../state.ts';
import { serviceChats } from './serviceChats.ts';
import { serviceMore } from './serviceMore.ts';
import { createRunRoutes } from './serviceRuns.ts';

/** Creates the surface `/v1`: the service API of the app whose key is sent. */
export function createServiceSurface(fake: DifyDeployment): Surface {
	const all = [...createRunRoutes(fake.release), ...serviceChats, ...serviceMore];
	return {
		prefix: '/v1',
		getRoutes: () => all,
		authorizeRequest: checkKey,
		formatRefusal: ({ code, message, status, more }) => ({ code, message, status, ...more }),
	};
}

function checkKey(exchange: Exchange): void {
	const { fake, request } = exchange;
	const header = request.headers.authorization ?? '';
	const realm = { 'www-authenticate': 'Bearer realm="api"' };
	if (!header.startsWith('Bearer ')) {
		throw new Refusal(401, 'unauthorized', "Authorization header must be provided and start with 'Bearer'", {}, realm);
	}
	const app = fake.apps.find(each => each.keys.some(({ token }) => token === header.slice(7)));
	const key = app?.keys.find(({ token }) => token === header.slice(7));
	if (!app || !key) {
		throw new Refusal(401, 'unauthorized', 'Access token is invalid', {}, realm);
	}
	if (!app.serviceApi) {
		throw new Refusal(403, 'forbidden', "The app's API service has been disabled.");
	}
	key.lastUsedAt = fake.getTime();
	exchange.app = app;
}

/** Returns the user named in the body or the query; throws if there is none. */
export function getRequestUser(exchange: Exchange): string {
	const user = getBodyText(exchange.body, 'user') ?? exchange.query.get('user') ?? '';
	if (user === '') {
		throw new Refusal(400, 'invalid_param', 'Arg user must be provided.');
	}
	return user;
}

/** Returns the key's app; throws if it is of another kind. */
export function getAppOfKind({ app }: Exchange, kind: 'workflow' | 'chat'): FakeApp {
	const fits = kind === 'workflow' ? app?.mode === 'workflow' : app && app.mode !== 'workflow' && app.mode !== 'completion';
	if (!app || !fits) {
		throw new Refusal(
			400,
			kind === 'workflow' ? 'not_workflow_app' : 'not_chat_app',
			'Please check if your app mode matches the right API route.',
		);
	}
	return app;
}

export function getRequestInputs({ body }: Exchange): Record<string, unknown> {
	if (typeof body['inputs'] !== 'object' || body['inputs'] === null) {
		throw new Refusal(400, 'invalid_param', 'inputs: Field required');
	}
	return getBodyFields(body, 'inputs');
}
