// The chunk of this folder: what the editor loads with the first use of a deployment's management.
import { consoleLogin } from './consoleLogin.ts';
import { detectDeployment } from './detectDeployment.ts';
import { startDeviceLogin } from './deviceLogin.ts';
import { openManagement } from './openManagement.ts';
import { signOut } from './signOut.ts';

/** Everything that managing deployments begins with. */
export const difyClient = { detectDeployment, startDeviceLogin, consoleLogin, openManagement, signOut };
