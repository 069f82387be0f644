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

/** Name of an operation. A streaming method of the client has the same operation as its counterpart. */
export type Operation = keyof typeof endpoints;
