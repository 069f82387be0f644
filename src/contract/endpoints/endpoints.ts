import { chatEndpoints } from './chatEndpoints.ts';
import { difyEndpoints } from './difyEndpoints.ts';
import { gatewayEndpoints } from './gatewayEndpoints.ts';
import { runEndpoints } from './runEndpoints.ts';
import { textEndpoints } from './textEndpoints.ts';

/** The endpoints that the client uses, and those of the gateway beside them, by the names of their operations. */
export const endpoints = {
	...runEndpoints,
	...chatEndpoints,
	...gatewayEndpoints,
	...textEndpoints,
	...difyEndpoints,
};

/** Name of an operation; methods of the client that stream share it with those that do not. */
export type Operation = keyof typeof endpoints;
