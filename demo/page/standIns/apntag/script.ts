import { installApntag } from './install';

installApntag();
