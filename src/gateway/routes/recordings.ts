import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { OpenRecordings } from '../recordings/openRecordings.ts';
import { createRoute, type Route } from '../server/route.ts';

/** Routes for recordings that runs replay or extend (not in the contract). */
export function createRecordingRoutes(recordings: OpenRecordings): readonly Route[] {
	return [
		createRoute(endpoints.openRecording, async exchange => {
			const body = await exchange.readJson(endpoints.openRecording.body);
			exchange.sendJson(200, await recordings.openRecording(body));
		}),
		createRoute(endpoints.takeRecordedCalls, async exchange => {
			exchange.sendJson(200, recordings.takeCalls(exchange.params['id'] ?? ''));
		}),
		createRoute(endpoints.closeRecording, async exchange => {
			recordings.closeRecording(exchange.params['id'] ?? '');
			exchange.sendJson(200, { result: 'success' });
		}),
	];
}
