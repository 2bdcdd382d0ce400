import type { ProductSpec } from './product-spec.js';

export const ELECTRONICS: readonly ProductSpec[] = [
  {
    name: 'Headphones',
    basePrice: 89.95,
    options: {
      fit: { 'on ear': 0, 'over ear': 24.5, 'in ear': 0 },
      connection: { wired: 0, wireless: 38.26 },
      color: { black: 0, white: 0, blue: 0 },
    },
  },
  {
    name: 'Bluetooth Speaker',
    basePrice: 62.49,
    options: {
      color: { black: 0, red: 0, green: 0 },
      'battery life': { '10 hours': 0, '20 hours': 23.4 },
      protection: { waterproof: 12.21, 'splash resistant': 0 },
    },
  },
  {
    name: 'Laptop',
    basePrice: 899.95,
    options: {
      screen: { '13 inch': 0, '15 inch': 140.5, '17 inch': 285.25 },
      memory: { '16 GB': 0, '32 GB': 190.4 },
      storage: { '512 GB': 0, '1 TB': 110.3 },
      color: { silver: 0, black: 0 },
    },
  },
  {
    name: 'Tablet',
    basePrice: 379.95,
    options: {
      screen: { '8 inch': 0, '11 inch': 118.35 },
      storage: { '64 GB': 0, '128 GB': 60.25, '256 GB': 130.5 },
      color: { gray: 0, gold: 0, silver: 0 },
    },
  },
  {
    name: 'E-Reader',
    basePrice: 119.95,
    options: {
      screen: { '6 inch': 0, '7 inch': 46.4 },
      storage: { '8 GB': 0, '32 GB': 34.25 },
      color: { black: 0, white: 0, green: 0 },
    },
  },
  {
    name: 'Smartphone',
    basePrice: 549.49,
    options: {
      storage: { '128 GB': 0, '256 GB': 90.25, '512 GB': 205.5 },
      screen: { '6.1 inch': 0, '6.7 inch': 120.3 },
      color: { black: 0, gold: 0, rose: 0 },
    },
  },
  {
    name: 'Smart Watch',
    basePrice: 199.95,
    options: {
      band: { silicone: 0, leather: 29.5, metal: 44.25 },
      display: { LCD: 0, AMOLED: 57.41 },
      color: { black: 0, silver: 0, gold: 6 },
    },
  },
  {
    name: 'Mechanical Keyboard',
    basePrice: 104.95,
    options: {
      switch: { clicky: 0, linear: 0, tactile: 3.24 },
      layout: { 'full size': 18.5, compact: 0 },
      backlight: { 'RGB backlight': 16.4, 'white backlight': 7.2, 'no backlight': 0 },
    },
  },
  {
    name: 'Wireless Mouse',
    basePrice: 31.95,
    options: {
      color: { black: 0, white: 0, red: 0 },
      sensor: { optical: 0, laser: 11.64 },
      hand: { 'right handed': 0, 'left handed': 4.5, ambidextrous: 0 },
    },
  },
  {
    name: 'Monitor',
    basePrice: 189.95,
    options: {
      size: { '24 inch': 0, '27 inch': 74.25, '32 inch': 158.6 },
      resolution: { 'full HD': 0, '4K': 96.39 },
      panel: { IPS: 22.4, VA: 0 },
    },
  },
  {
    name: 'Webcam',
    basePrice: 46.49,
    options: {
      resolution: { '720p': 0, '1080p': 17.25, '4K': 61.38 },
      mount: { clip: 0, tripod: 6.5 },
      color: { black: 0, white: 0 },
    },
  },
  {
    name: 'Portable Charger',
    basePrice: 28.95,
    options: {
      capacity: { '5000 mAh': 0, '10000 mAh': 12.4, '20000 mAh': 27.15 },
      ports: { 'one port': 0, 'two ports': 5.26 },
      color: { black: 0, white: 0, blue: 0 },
    },
  },
  {
    name: 'Action Camera',
    basePrice: 239.95,
    options: {
      resolution: { '1080p': 0, '4K': 82.35, '5K': 147.6 },
      protection: { waterproof: 34.5, 'no housing': 0 },
      color: { black: 0, silver: 0 },
    },
  },
  {
    name: 'Router',
    basePrice: 94.95,
    options: {
      standard: { 'Wi-Fi 6': 0, 'Wi-Fi 7': 86.27 },
      bands: { 'dual band': 0, 'tri band': 43.5 },
      color: { black: 0, white: 0 },
    },
  },
];
