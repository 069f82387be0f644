import { chatEndpoints } from './chatEndpoints.ts';
import { difyEndpoints } from './difyEndpoints.ts';
import { gatewayEndpoints } from './gatewayEndpoints.ts';
import { runEndpoints } from './runEndpoints.ts';
import { textEndpoints } from './textEndpoints.ts';

/** Endpoints used by the client, and the gateway's other endpoints, by operation name. */
export const endpoints = {
	...runEndpoints,
	...chatEndpoints,
	...gatewayEndpoints,
	...textEndpoints,
	...difyEndpoints,
};

/** Name of an operation; the client's streaming methods share it with the others. */
export type Operation = keyof typeof endpoints;
